internal import NIOCore
internal import Synchronization

/// All open connections, counted against their limits. A stopping server reaches them through it.
final class ConnectionRegistry: Sendable {
    private struct State {
        var maximum: Int
        var maximumPerAddress: Int
        var channels: [ObjectIdentifier: any Channel] = [:]
        var countPerAddress: [String: Int] = [:]
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

    var count: Int { state.withLock { $0.channels.count } }

    /// The action for a new connection.
    enum OnAccept: Sendable, Hashable {
        case serve
        /// Answer its requests, and close it: it was accepted just before the server began to stop.
        case drain
        /// Close it: a limit is reached.
        case refuse
    }

    /// Counts a new connection until it closes, unless a limit is reached.
    func connectionAccepted(_ channel: any Channel) -> OnAccept {
        let address = channel.remoteAddress.flatMap(Self.countedAddress)
        let action = state.withLock { state -> OnAccept in
            guard state.channels.count < state.maximum else { return .refuse }
            if let address {
                guard state.countPerAddress[address, default: 0] < state.maximumPerAddress else { return .refuse }
                state.countPerAddress[address, default: 0] += 1
            }
            state.channels[ObjectIdentifier(channel)] = channel
            return state.isDraining ? .drain : .serve
        }
        if action != .refuse {
            let id = ObjectIdentifier(channel)
            channel.closeFuture.whenComplete { [self] _ in remove(id, address) }
        }
        return action
    }

    private func remove(_ id: ObjectIdentifier, _ address: String?) {
        let emptied = state.withLock { state -> [EventLoopPromise<Void>] in
            state.channels[id] = nil
            if let address, let count = state.countPerAddress[address] {
                state.countPerAddress[address] = count > 1 ? count - 1 : nil
            }
            guard state.channels.isEmpty else { return [] }
            defer { state.emptied = [] }
            return state.emptied
        }
        for promise in emptied { promise.succeed() }
    }

    /// Asks every connection to finish, also those that are still accepted.
    func drain() {
        let channels = state.withLock { state in
            state.isDraining = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drainBegins) }
    }

    /// Asks every connection to end the calls that are still open.
    func endDrain() {
        for channel in state.withLock({ Array($0.channels.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drainEnds)
        }
    }

    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    func whenEmpty(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isEmpty = state.withLock { state in
            if !state.channels.isEmpty { state.emptied.append(promise) }
            return state.channels.isEmpty
        }
        if isEmpty { promise.succeed() }
        return promise.futureResult
    }

    /// Returns the address to count. Loopback and unix sockets belong to this machine and are not counted.
    private static func countedAddress(_ address: SocketAddress) -> String? {
        guard let ip = address.ipAddress, ip != "::1", !ip.hasPrefix("127.") else { return nil }
        return ip
    }
}
