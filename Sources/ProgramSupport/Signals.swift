internal import Dispatch
internal import Glibc
internal import Synchronization

/// The signals lose their default effect. Active until it is cancelled or released.
package final class SignalHandler: @unchecked Sendable {
    private static let patience = DispatchTimeInterval.seconds(1)

    // Dispatch sources may be used on any thread, but are not marked as Sendable.
    private let sources: [any DispatchSourceSignal]

    /// Waits until the handler is active. `handle` gets each signal's number, on a global queue.
    package init(_ numbers: [Int32], _ handle: @escaping @Sendable (Int32) -> Void) {
        let registered = DispatchSemaphore(value: 0)
        sources = numbers.map { number in
            // The default action would end or stop the process before the handler runs. Another handler's must stay:
            // Dispatch sets it only for the first source of a signal.
            var current = sigaction()
            sigaction(number, nil, &current)
            if current.__sigaction_handler.sa_handler == nil { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handle(number) }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // Sources are registered on another thread. Until then a signal would be lost.
        for _ in sources { _ = registered.wait(timeout: .now() + Self.patience) }
    }

    deinit { cancel() }

    /// The signals keep having no effect.
    package func cancel() { for source in sources { source.cancel() } }

    /// Ends the program at SIGTERM and SIGINT, until it is cancelled. They have no default action for process 1, which is the
    /// program of a container.
    package static func ofStart() -> SignalHandler { SignalHandler([SIGTERM, SIGINT]) { _ in _exit(0) } }

    /// Handles signals until the sequence is released. Unread signals are merged into one.
    package static func stream(of numbers: Int32...) -> AsyncStream<Int32> {
        let (arrived, arrival) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        let handler = SignalHandler(numbers) { arrival.yield($0) }
        arrival.onTermination = { _ in handler.cancel() }
        return arrived
    }
}

package struct Interrupts {
    private let counter: Counter
    private let handler: SignalHandler

    /// `onSecond` gets the exit status, for each further signal.
    package init(
        onFirst: @escaping @Sendable () -> Void = {},
        onSecond: @escaping @Sendable (Int32) -> Void = { _exit($0) }
    ) {
        let counter = Counter(onFirst: onFirst, onSecond: onSecond)
        handler = SignalHandler([SIGINT, SIGTERM]) { counter.count($0) }
        self.counter = counter
    }

    /// 128 + the number of the first signal, as in shells; nil before a signal.
    package var status: Int32? { counter.status }

    final class Counter: Sendable {
        private let first = Mutex<Int32?>(nil)
        private let onFirst: @Sendable () -> Void
        private let onSecond: @Sendable (Int32) -> Void

        init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable (Int32) -> Void) {
            self.onFirst = onFirst
            self.onSecond = onSecond
        }

        var status: Int32? { first.withLock { $0.map { 128 + $0 } } }

        func count(_ number: Int32) {
            let earlier = first.withLock { first in
                defer { first = first ?? number }
                return first
            }
            if earlier == nil { onFirst() } else { onSecond(128 + number) }
        }
    }
}
