internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C: the first one asks to stop, the second one does not wait for it.
struct Interrupts {
    private let counter: Counter
    /// Held, because a source that nobody holds delivers nothing.
    private let source: any DispatchSourceSignal

    init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void) {
        let counter = Counter(onFirst: onFirst, onSecond: onSecond)
        // The default action would end the process before anybody was told.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { counter.count() }
        source.resume()
        self.counter = counter
    }

    /// Whether there was one.
    var areAny: Bool { counter.areAny }

    /// Tells the first from the others.
    final class Counter: Sendable {
        private let number = Atomic(0)
        private let onFirst: @Sendable () -> Void
        private let onSecond: @Sendable () -> Void

        init(onFirst: @escaping @Sendable () -> Void, onSecond: @escaping @Sendable () -> Void) {
            self.onFirst = onFirst
            self.onSecond = onSecond
        }

        var areAny: Bool { number.load(ordering: .relaxed) > 0 }

        func count() {
            if number.add(1, ordering: .relaxed).newValue == 1 { onFirst() } else { onSecond() }
        }
    }
}
