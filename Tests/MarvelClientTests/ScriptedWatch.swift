import MarvelClient

/// A watch whose events a test sends by hand.
struct ScriptedWatch: AsyncSequence, Sendable {
    typealias Element = FavoritesEvent
    typealias Failure = RPCError

    private let stream: AsyncStream<Result<FavoritesEvent, RPCError>>
    private let continuation: AsyncStream<Result<FavoritesEvent, RPCError>>.Continuation
    /// Ends when nobody reads the watch any more.
    let ended: AsyncStream<Void>

    init(_ events: FavoritesEvent...) {
        (stream, continuation) = AsyncStream.makeStream()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        continuation.onTermination = { _ in end.finish() }
        for event in events { send(event) }
    }

    func send(_ event: FavoritesEvent) { continuation.yield(.success(event)) }

    func fail(_ error: RPCError) { continuation.yield(.failure(error)) }

    func makeAsyncIterator() -> Iterator { Iterator(results: stream.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var results: AsyncStream<Result<FavoritesEvent, RPCError>>.AsyncIterator

        mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> FavoritesEvent? {
            try await results.next(isolation: actor)?.get()
        }
    }
}
