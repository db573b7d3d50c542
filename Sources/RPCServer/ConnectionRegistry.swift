internal import NIOCore
internal import RPCCore
internal import Synchronization

/// All open connections, counted against their limits, and the tasks that make their pages. A stopping server reaches them
/// through it, and waits until it is empty.
final class ConnectionRegistry: Sendable {
    /// An open connection.
    struct Connection: Sendable {
        let channel: any Channel
        /// The wire that it speaks.
        let wire: String
        let openedAt: NIODeadline
        let address: PeerAddress?
        /// Whether a request was received that is not answered. Only a registry that makes room knows.
        var isAnswering = false
        /// The time of the beginning, or of the end of the last request or answer.
        var since: NIODeadline
    }

    private struct State {
        var maximum: Int
        var maximumPerAddress: Int
        var connections: [ObjectIdentifier: Connection] = [:]
        var countPerAddress: [PeerAddress?: Int] = [:]
        var pages: [UInt64: Task<Void, Never>] = [:]
        var lastPage: UInt64 = 0
        var isDraining = false
        var emptied: [EventLoopPromise<Void>] = []

        var isEmpty: Bool { connections.isEmpty && pages.isEmpty }

        @discardableResult
        mutating func remove(_ id: ObjectIdentifier) -> (any Channel)? {
            guard let connection = connections.removeValue(forKey: id) else { return nil }
            let count = countPerAddress[connection.address, default: 1] - 1
            countPerAddress[connection.address] = count > 0 ? count : nil
            return connection.channel
        }

        /// Finds the connection that has waited longest for a request: of an address, or of the one with the most
        /// connections.
        func longestWaiting(of address: PeerAddress?) -> ObjectIdentifier? {
            let waiting = connections.filter { !$1.isAnswering && (address == nil || $1.address == address) }
            return waiting.min { left, right in
                let counts = (countPerAddress[left.value.address] ?? 0, countPerAddress[right.value.address] ?? 0)
                return (-counts.0, left.value.since) < (-counts.1, right.value.since)
            }?.key
        }
    }

    private let state: Mutex<State>

    /// Whether a connection that waits for a request is closed for a new one.
    private let makesRoom: Bool

    init(maximum: Int, maximumPerAddress: Int, makesRoom: Bool = false) {
        self.makesRoom = makesRoom
        state = Mutex(State(maximum: maximum, maximumPerAddress: maximumPerAddress))
    }

    /// Sets the limits for new connections. No open connection is closed.
    func limit(to maximum: Int, perAddress maximumPerAddress: Int) {
        state.withLock { ($0.maximum, $0.maximumPerAddress) = (maximum, maximumPerAddress) }
    }

    var count: Int { state.withLock { $0.connections.count } }

    /// The action for a new connection.
    enum OnAccept: Sendable, Hashable {
        case serve
        /// Answer its requests, and close it: it was accepted just before the server began to stop.
        case drain
        /// Close it: a limit is reached.
        case refuse
    }

    /// Counts a new connection until it closes, unless a limit is reached. Another one may be closed for it.
    func connectionAccepted(_ channel: any Channel, wire: String = "", now: NIODeadline = .now()) -> OnAccept {
        let id = ObjectIdentifier(channel)
        let address = PeerAddress(channel.remoteAddress)
        let (action, displaced) = state.withLock { state -> (OnAccept, (any Channel)?) in
            var displaced: (any Channel)?
            // Loopback and unix sockets belong to this machine and have no share but that of all.
            let hasShare = address != nil && address != .loopback
            let isShareUsed = hasShare && state.countPerAddress[address, default: 0] >= state.maximumPerAddress
            if isShareUsed || state.connections.count >= state.maximum {
                guard makesRoom, let oldest = state.longestWaiting(of: isShareUsed ? address : nil) else {
                    return (.refuse, nil)
                }
                displaced = state.remove(oldest)
            }
            state.countPerAddress[address, default: 0] += 1
            state.connections[id] = Connection(
                channel: channel,
                wire: wire,
                openedAt: now,
                address: address,
                since: now
            )
            return (state.isDraining ? .drain : .serve, displaced)
        }
        displaced?.closeAtOnce()
        if action != .refuse { channel.closeFuture.whenComplete { [self] _ in forget { $0.remove(id) } } }
        return action
    }

    /// Notes that a request or an answer has ended.
    func noteProgress(of channel: any Channel, isAnswering: Bool, now: NIODeadline = .now()) {
        guard makesRoom else { return }
        state.withLock { state in
            state.connections[ObjectIdentifier(channel)]?.isAnswering = isAnswering
            state.connections[ObjectIdentifier(channel)]?.since = now
        }
    }

    /// Starts the task of a page. When the drain ends it is cancelled, and still awaited until all connections are closed.
    func makePage(_ make: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            state.lastPage += 1
            let number = state.lastPage
            let task = Task { [self] in
                await make()
                forget { $0.pages[number] = nil }
            }
            state.pages[number] = task
            return task
        }
    }

    private func forget(_ body: (inout State) -> Void) {
        let emptied = state.withLock { state -> [EventLoopPromise<Void>] in
            body(&state)
            guard state.isEmpty else { return [] }
            defer { state.emptied = [] }
            return state.emptied
        }
        for promise in emptied { promise.succeed() }
    }

    /// Returns the connections that have been open for longest.
    func oldest(_ limit: Int) -> [Connection] {
        // Sorted outside of the lock: event loops wait for it.
        let connections = state.withLock { Array($0.connections.values) }
        return Array(connections.sorted { $0.openedAt < $1.openedAt }.prefix(limit))
    }

    /// Asks every connection to finish, also those that are still accepted.
    func drain() {
        let channels = state.withLock { state in
            state.isDraining = true
            return state.connections.values.map(\.channel)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drainBegins) }
    }

    /// Asks every connection to end the streams whose callers have lost their access.
    func accessChanged() {
        for channel in state.withLock({ $0.connections.values.map(\.channel) }) {
            channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.accessChanged)
        }
    }

    /// Asks every connection to end the calls that are still open, and cancels the pages.
    func endDrain() {
        let (channels, pages) = state.withLock { ($0.connections.values.map(\.channel), Array($0.pages.values)) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drainEnds) }
        for page in pages { page.cancel() }
    }

    /// Closes the connections. A page that ignores its cancellation is not awaited any more.
    func closeAll() {
        for channel in state.withLock({ $0.connections.values.map(\.channel) }) { channel.close(promise: nil) }
        forget { $0.pages = [:] }
    }

    func whenEmpty(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isEmpty = state.withLock { state in
            if !state.isEmpty { state.emptied.append(promise) }
            return state.isEmpty
        }
        if isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
