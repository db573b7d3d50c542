internal import NIOCore
internal import RPCCore
internal import Synchronization

/// All open connections, counted against their limits. A stopping server reaches them through it.
final class ConnectionRegistry: Sendable {
    /// An open connection.
    struct Connection: Sendable {
        let channel: any Channel
        /// The wire that it speaks.
        let wire: String
        let openedAt: NIODeadline
    }

    private struct State {
        var maximum: Int
        var maximumPerAddress: Int
        var connections: [ObjectIdentifier: Connection] = [:]
        var countPerAddress: [PeerAddress: Int] = [:]
        var isDraining = false
        var emptied: [EventLoopPromise<Void>] = []
    }

    private let state: Mutex<State>

    init(maximum: Int, maximumPerAddress: Int) {
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

    /// Counts a new connection until it closes, unless a limit is reached.
    func connectionAccepted(_ channel: any Channel, wire: String = "", now: NIODeadline = .now()) -> OnAccept {
        // Loopback and unix sockets belong to this machine and are not counted.
        let address = PeerAddress(channel.remoteAddress).flatMap { $0 == .loopback ? nil : $0 }
        let action = state.withLock { state -> OnAccept in
            guard state.connections.count < state.maximum else { return .refuse }
            if let address {
                guard state.countPerAddress[address, default: 0] < state.maximumPerAddress else { return .refuse }
                state.countPerAddress[address, default: 0] += 1
            }
            state.connections[ObjectIdentifier(channel)] = Connection(channel: channel, wire: wire, openedAt: now)
            return state.isDraining ? .drain : .serve
        }
        if action != .refuse {
            let id = ObjectIdentifier(channel)
            channel.closeFuture.whenComplete { [self] _ in remove(id, address) }
        }
        return action
    }

    private func remove(_ id: ObjectIdentifier, _ address: PeerAddress?) {
        let emptied = state.withLock { state -> [EventLoopPromise<Void>] in
            state.connections[id] = nil
            if let address, let count = state.countPerAddress[address] {
                state.countPerAddress[address] = count > 1 ? count - 1 : nil
            }
            guard state.connections.isEmpty else { return [] }
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

    /// Asks every connection to end the calls that are still open.
    func endDrain() {
        for channel in state.withLock({ $0.connections.values.map(\.channel) }) {
            channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drainEnds)
        }
    }

    func closeAll() {
        for channel in state.withLock({ $0.connections.values.map(\.channel) }) { channel.close(promise: nil) }
    }

    func whenEmpty(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isEmpty = state.withLock { state in
            if !state.connections.isEmpty { state.emptied.append(promise) }
            return state.connections.isEmpty
        }
        if isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
