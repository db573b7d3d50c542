internal import Dispatch
internal import Glibc
internal import Synchronization

/// The handling of SIGINT (Ctrl-C) and SIGTERM: the first signal requests a stop, and the second one stops immediately.
struct Interrupts {
    private static let signals = [SIGINT, SIGTERM]

    private let counter: Counter
    /// The signal sources, held because a released source delivers no signals.
    private let sources: [any DispatchSourceSignal]

    init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable (ExitStatus) -> Void) {
        let counter = Counter(onFirst: onFirst, onSecond: onSecond)
        sources = Interrupts.signals.map { number in
            // The default action would end the process before the handler runs.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { counter.count(number) }
            source.resume()
            return source
        }
        self.counter = counter
    }

    /// The exit status after a signal: 128 + the number of the first signal, as in shells; nil if there was none.
    var status: ExitStatus? { counter.status }

    /// A counter that distinguishes the first signal from the later ones.
    final class Counter: Sendable {
        private let first = Mutex<Int32?>(nil)
        private let onFirst: @Sendable () -> Void
        private let onSecond: @Sendable (ExitStatus) -> Void

        init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable (ExitStatus) -> Void) {
            self.onFirst = onFirst
            self.onSecond = onSecond
        }

        var status: ExitStatus? { first.withLock { $0.map { ExitStatus(rawValue: 128 + $0) } } }

        func count(_ number: Int32) {
            let earlier = first.withLock { first in
                defer { first = first ?? number }
                return first
            }
            if earlier == nil { onFirst() } else { onSecond(ExitStatus(rawValue: 128 + number)) }
        }
    }
}
