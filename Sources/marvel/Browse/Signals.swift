internal import Dispatch
internal import Glibc

/// Signals as a sequence, in place of what they would do to the process.
enum Signals {
    /// The numbers of signals that arrive, until nobody listens any more. Those that nobody has looked at yet are one.
    static func stream(of numbers: Int32...) -> AsyncStream<Int32> {
        let (arrived, arrival) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        // Of Dispatch's objects, which any thread may use; Swift is not told so.
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
