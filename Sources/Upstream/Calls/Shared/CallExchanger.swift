internal import RPCCore
internal import Synchronization

/// The exchanges of a server with the others that share its budget: one at a time, when calls are wanted, and otherwise
/// every two seconds for what the others have done.
final class CallExchanger: Sendable {
    /// The time between exchanges without a reason.
    static let interval = Duration.seconds(2)

    private struct State {
        /// The exchange that is under way, which returns whether it succeeded.
        var current: Task<Bool, Never>?
        var driver: Task<Void, Never>?
        /// Whether the last exchange failed. Then only the driver begins another one.
        var hasFailed = false
        var isStopped = false
    }

    private let ledger: any SharedCallLedger
    private let clock: UpstreamClock
    private let next: @Sendable () -> CallExchange?
    private let onEnd: @Sendable (CallExchange, CallExchange.Reply?) -> Void
    private let wantsAnother: @Sendable () -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - ledger: The place where calls are shared.
    ///   - clock: The clock.
    ///   - next: Makes the next exchange; nil if there is nothing to share.
    ///   - onEnd: Called with each exchange and its reply; nil if there was none. The next exchange is made after it.
    ///   - wantsAnother: Returns whether another exchange is worth while after one that succeeded.
    init(
        _ ledger: any SharedCallLedger,
        clock: UpstreamClock,
        next: @escaping @Sendable () -> CallExchange?,
        onEnd: @escaping @Sendable (CallExchange, CallExchange.Reply?) -> Void,
        wantsAnother: @escaping @Sendable () -> Bool
    ) {
        self.ledger = ledger
        self.clock = clock
        self.next = next
        self.onEnd = onEnd
        self.wantsAnother = wantsAnother
    }

    /// Makes the first exchange, and then one from time to time until `stop`.
    func run() async {
        _ = await begin(evenAfterFailure: true)?.value
        let driver = Task { [self] in
            var wait = Self.interval
            while (try? await clock.sleep(wait)) != nil {
                let start = clock.now()
                _ = await begin(evenAfterFailure: true)?.value
                // The ledger's connection has other work too, so a slow exchange leaves it as long as it took.
                wait = max(Self.interval, clock.now() - start)
            }
        }
        let isStopped = state.withLock { state in
            if !state.isStopped { state.driver = driver }
            return state.isStopped
        }
        if isStopped { driver.cancel() }
    }

    /// Begins an exchange, unless one is under way or the last one failed. It returns at once.
    func start() { _ = begin(evenAfterFailure: false) }

    /// Makes an exchange, or waits for the one that is under way.
    ///
    /// - Returns: Whether it succeeded; false at once if the last one failed.
    func exchange() async -> Bool { await begin(evenAfterFailure: false)?.value ?? false }

    /// Ends the exchanges with one that gives back what is left. Its time is that of the ledger's statements.
    ///
    /// - Parameter last: Makes the last exchange; nil if there is nothing to give back.
    func stop(_ last: () -> CallExchange?) async {
        let (current, driver) = state.withLock { state in
            state.isStopped = true
            return (state.current, state.driver)
        }
        driver?.cancel()
        await driver?.value
        _ = await current?.value
        if let last = last() { _ = await ledger.exchange(last) }
    }

    private func begin(evenAfterFailure: Bool) -> Task<Bool, Never>? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            if let current = state.current { return current }
            guard evenAfterFailure || !state.hasFailed else { return nil }
            let task = Task { await run(next()) }
            state.current = task
            return task
        }
    }

    private func run(_ exchange: CallExchange?) async -> Bool {
        let reply: CallExchange.Reply? = if let exchange { await ledger.exchange(exchange) } else { nil }
        // While it is the current one: another exchange would claim less than this one has reserved.
        if let exchange { onEnd(exchange, reply) }
        state.withLock { state in
            state.current = nil
            state.hasFailed = reply == nil
        }
        if reply != nil, wantsAnother() { start() }
        return reply != nil
    }
}
