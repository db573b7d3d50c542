internal import NIOCore
internal import Synchronization

/// Every open connection, counted against its limits, so that a stopping server can reach them all.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var countPerAddress: [String: Int] = [:]
        var isDraining = false
        var emptied: [EventLoopPromise<Void>] = []
    }

    private let maximum: Int
    private let maximumPerAddress: Int
    private let state = Mutex(State())

    init(maximum: Int, maximumPerAddress: Int) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
    }

    var count: Int { state.withLock { $0.channels.count } }

    /// Counts a new connection until it closes.
    ///
    /// - Returns: false if there is no room for it: close it.
    func admit(_ channel: any Channel) -> Bool {
        let address = channel.remoteAddress.flatMap(Self.countedAddress)
        let isAdmitted = state.withLock { state in
            guard !state.isDraining, state.channels.count < maximum else { return false }
            if let address {
                guard state.countPerAddress[address, default: 0] < maximumPerAddress else { return false }
                state.countPerAddress[address, default: 0] += 1
            }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
        if isAdmitted {
            let id = ObjectIdentifier(channel)
            channel.closeFuture.whenComplete { [self] _ in remove(id, address) }
        }
        return isAdmitted
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

    /// Admits no more, and asks every connection to finish.
    func drain() {
        let channels = state.withLock { state in
            state.isDraining = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ServerConnectionHandler.Drain()) }
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

    /// Loopback and unix sockets are this machine's own and are not counted.
    private static func countedAddress(_ address: SocketAddress) -> String? {
        guard let ip = address.ipAddress, ip != "::1", !ip.hasPrefix("127.") else { return nil }
        return ip
    }
}
