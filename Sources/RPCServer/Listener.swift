internal import Logging
internal import NIOCore
internal import RPCCore
internal import Synchronization

/// A listening endpoint, and the channel that accepts its connections. The channel is replaced when SwiftNIO closes it.
///
/// SwiftNIO closes a listener when accept(2) fails with an error that it does not know, though most of these errors
/// concern one connection that was not established (EPROTO, EPERM by a firewall). Then the address is bound again,
/// after a pause that doubles with each failure. A listener that cannot bind tries for as long as the server runs: its open
/// connections and its other ports continue.
final class Listener: Sendable {
    private struct State {
        var channel: any Channel
        var openedAt = NIODeadline.now()
        var pause = Listener.shortestPause
        var isBindFailing = false
        var isStopping = false

        mutating func nextPause() -> TimeAmount {
            defer { pause = min(pause * 2, Listener.longestPause) }
            return pause
        }
    }

    static let shortestPause = TimeAmount.milliseconds(10)
    static let longestPause = TimeAmount.seconds(1)

    /// The endpoint that it really listens on: port 0 is replaced by the assigned port.
    let endpoint: ListeningEndpoint
    private let bootstrap: ListenerBootstrap
    private let logger: Logger
    private let state: Mutex<State>
    private let ended: EventLoopPromise<Void>

    private init(_ channel: any Channel, at endpoint: ListeningEndpoint, bootstrap: ListenerBootstrap, logger: Logger) {
        self.endpoint = endpoint
        self.bootstrap = bootstrap
        self.logger = logger
        self.state = Mutex(State(channel: channel))
        self.ended = channel.eventLoop.makePromise()
    }

    /// Whether it accepts connections, or will with the next attempt. False while its address cannot be bound.
    var isListening: Bool { state.withLock { !$0.isBindFailing } }

    static func open(
        _ wanted: ListeningEndpoint,
        bootstrap: ListenerBootstrap,
        logger: Logger
    ) async throws(StartupError) -> Listener {
        let channel = try await bootstrap.listen(on: wanted)
        let endpoint = channel.boundEndpoint(for: wanted)
        let listener = Listener(channel, at: endpoint, bootstrap: bootstrap, logger: logger)
        channel.closeFuture.whenComplete { _ in listener.channelClosed() }
        return listener
    }

    /// Succeeds when the listener was stopped.
    var endFuture: EventLoopFuture<Void> { ended.futureResult }

    /// Stops accepting connections. May be called more than once, from any thread.
    func stop() {
        let channel = state.withLock { state in
            state.isStopping = true
            return state.channel
        }
        close(channel)
        // Between two channels there is none whose close would end the listener.
        if !channel.isActive { ended.succeed() }
    }

    /// Closes a channel when all connections that it has accepted are open.
    ///
    /// SwiftNIO sets up a connection on the connection's own event loop and then reports to the listener's loop. If the
    /// listener is closed by then, it closes the connection, and the calls that its client has sent would get no
    /// answer. So accepting ends first, and then every event loop has a turn.
    private func close(_ channel: any Channel) {
        channel.setOption(.autoRead, value: false)
            .flatMapErrorThrowing { _ in }
            .flatMap { [bootstrap] in
                let turns = bootstrap.group.makeIterator().map { $0.submit {} }
                return EventLoopFuture.andAllComplete(turns, on: channel.eventLoop)
            }
            .whenComplete { _ in channel.close(promise: nil) }
    }

    private func channelClosed() {
        let pause = state.withLock { state -> TimeAmount? in
            guard !state.isStopping else { return nil }
            // A listener that worked for as long as the longest pause has recovered from the earlier failures.
            if .now() - state.openedAt >= Self.longestPause { state.pause = Self.shortestPause }
            return state.nextPause()
        }
        guard let pause else { return ended.succeed() }
        reopen(in: pause)
    }

    private func reopen(in pause: TimeAmount) {
        endFuture.eventLoop.scheduleTask(in: pause) { [self] in
            if state.withLock(\.isStopping) { return ended.succeed() }
            Task {
                do throws(StartupError) {
                    opened(try await bootstrap.listen(on: endpoint))
                } catch {
                    bindFailed(error)
                }
            }
        }
    }

    private func opened(_ channel: any Channel) {
        let isStopping = state.withLock { state in
            state.channel = channel
            state.openedAt = .now()
            state.isBindFailing = false
            return state.isStopping
        }
        channel.closeFuture.whenComplete { [self] _ in channelClosed() }
        if isStopping { return close(channel) }
        logger.notice("listening again", metadata: endpoint.metadata)
    }

    private func bindFailed(_ error: StartupError) {
        let (isFirst, pause) = state.withLock { state in
            defer { state.isBindFailing = true }
            return (!state.isBindFailing, state.nextPause())
        }
        if isFirst {
            logger.error("cannot listen again yet", metadata: endpoint.metadata.merging(["error": "\(error)"]) { $1 })
        }
        reopen(in: pause)
    }
}
