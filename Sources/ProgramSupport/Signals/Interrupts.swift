internal import Glibc
internal import Synchronization

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
