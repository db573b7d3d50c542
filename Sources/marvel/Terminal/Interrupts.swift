internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C, and the signal that ends programs politely: the first one asks to stop, the second one does not wait for it.
struct Interrupts {
    private static let signals = [SIGINT, SIGTERM]

    private let counter: Counter
    /// Held, because a source that nobody holds delivers nothing.
    private let sources: [any DispatchSourceSignal]

    init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable (ExitStatus) -> Void) {
        let counter = Counter(onFirst: onFirst, onSecond: onSecond)
        sources = Interrupts.signals.map { number in
            // The default action would end the process before anybody was told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { counter.count(number) }
            source.resume()
            return source
        }
        self.counter = counter
    }

    /// What the process ends with if there was one: 128 and the number of the first signal, as shells have it.
    var status: ExitStatus? { counter.status }

    /// Tells the first from the others.
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
