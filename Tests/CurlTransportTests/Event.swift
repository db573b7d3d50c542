/// Something that happens once, on any thread, and that a test waits for. A test that is cancelled waits no longer.
struct Event: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.finish() }

    func wait() async {
        for await _ in stream {}
    }
}
