internal import Dispatch
internal import Glibc

/// Signals as a sequence. They lose their default effect on the process.
enum Signals {
    /// Returns the numbers of arriving signals, until the sequence is released. Unread signals are merged into one.
    static func stream(of numbers: Int32...) -> AsyncStream<Int32> {
        let (arrived, arrival) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        // Dispatch sources may be used on any thread, but are not marked as Sendable.
        nonisolated(unsafe) let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { arrival.yield(number) }
            source.resume()
            return source
        }
        arrival.onTermination = { _ in for source in sources { source.cancel() } }
        return arrived
    }
}
