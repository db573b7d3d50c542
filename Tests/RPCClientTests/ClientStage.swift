import Framing
import NIOCore
import NIOEmbedded
import RPCCore
import Synchronization
import WireMessages

@testable import RPCClient

/// A client over a network of the test's own: no sockets, no threads, a clock that the test moves, and no chance: every
/// wait is as long as it can be.
final class ClientStage {
    static let a = ServerAddress.tcp(host: "a", port: 1)
    static let b = ServerAddress.tcp(host: "b", port: 2)
    static let c = ServerAddress.tcp(host: "c", port: 3)

    let loop = EmbeddedEventLoop()
    let network = Network()
    let core: ClientCore

    init(_ addresses: [ServerAddress] = [a], _ configure: (inout RPCClientOptions) -> Void = { _ in }) {
        var options = RPCClientOptions()
        configure(&options)
        core = ClientCore(
            servers: addresses.map { ServerEndpoint($0) },
            options: options,
            eventLoop: loop,
            connector: network.connector,
            random: { 1 }
        )
    }

    /// Makes a call and lets everything happen that does not take time.
    @discardableResult
    func call(
        _ kind: RPCMethod.Kind = .unary,
        _ payload: String = "",
        timeout: Duration? = nil,
        isRepeatable: Bool = true,
        waitsForServer: Bool = true
    ) -> ClientCall {
        let call = ClientCall(
            OutgoingRequest(
                method: MethodPath(service: "test.v1.TestService", method: "Any"),
                kind: kind,
                payload: ByteBuffer(string: payload),
                metadata: Metadata(),
                isRepeatable: isRepeatable,
                waitsForServer: waitsForServer
            ),
            deadline: timeout.map { loop.now + TimeAmount($0) },
            queue: kind == .serverStreaming ? MessageQueue(options: core.options) : nil
        )
        core.carryOut([.call(call)])
        loop.run()
        return call
    }

    func giveUp(_ call: ClientCall) {
        core.carryOut([.abandon(call)])
        loop.run()
    }

    func advance(_ time: TimeAmount) {
        loop.advanceTime(by: time)
    }

    /// The connections so far, in the order in which they were opened.
    var peers: [StagePeer] { network.peers }

    /// Milliseconds since the start, for each try of an address.
    var attempts: [Int64] { network.attempts.map { Int64($0.time.uptimeNanoseconds / 1_000_000) } }
    var triedAddresses: [ServerAddress] { network.attempts.map(\.address) }
}

/// The addresses that answer, and the connections to them.
final class Network: Sendable {
    private struct State {
        var down: Set<ServerAddress> = []
        /// The addresses of host names; a name that is not here stands for itself, and one without addresses is unknown.
        var names: [ServerAddress: [ServerAddress]] = [:]
        var lookups = 0
        /// The name whose lookup takes until the test ends it.
        var slowName: ServerAddress?
        var slowLookups: [EventLoopPromise<[ServerAddress]>] = []
        var attempts: [(time: NIODeadline, address: ServerAddress)] = []
        var peers: [StagePeer] = []
    }

    private let state = Mutex(State())

    var peers: [StagePeer] { state.withLock { $0.peers } }
    var attempts: [(time: NIODeadline, address: ServerAddress)] { state.withLock { $0.attempts } }

    var lookups: Int { state.withLock(\.lookups) }

    func name(_ name: ServerAddress, _ addresses: ServerAddress...) { state.withLock { $0.names[name] = addresses } }
    func slowDown(_ name: ServerAddress) { state.withLock { $0.slowName = name } }

    /// Ends the slow lookups.
    func answerLookups(_ addresses: ServerAddress...) {
        for lookup in state.withLock(\.slowLookups) { lookup.succeed(addresses) }
    }

    func takeDown(_ addresses: ServerAddress...) { state.withLock { $0.down.formUnion(addresses) } }
    func bringUp(_ addresses: ServerAddress...) { state.withLock { $0.down.subtract(addresses) } }

    var connector: Connector {
        let connect: Connector.Connect = { [self] route, eventLoop, prepare in
            let address = route.address
            let isDown = state.withLock { state in
                state.attempts.append((eventLoop.now, address))
                return state.down.contains(address)
            }
            return eventLoop.submit {}.flatMapThrowing {
                guard !isDown, let loop = eventLoop as? EmbeddedEventLoop else { throw Refused() }
                let channel = EmbeddedChannel(loop: loop)
                self.state.withLock { $0.peers.append(StagePeer(address, channel)) }
                return channel
            }.flatMap { (channel: EmbeddedChannel) in
                prepare(channel).flatMapThrowing { try SocketAddress(unixDomainSocketPath: "/stage") }
                    .flatMap { channel.connect(to: $0) }
                    .map { channel }
            }
        }
        return Connector(connect: connect) { [self] name, eventLoop in
            let slow = eventLoop.makePromise(of: [ServerAddress].self)
            let (addresses, isSlow) = state.withLock { state in
                state.lookups += 1
                if state.slowName == name { state.slowLookups.append(slow) }
                return (state.names[name] ?? [name], state.slowName == name)
            }
            guard !isSlow else { return slow.futureResult }
            slow.succeed([])
            guard !addresses.isEmpty else { return eventLoop.makeFailedFuture(Refused()) }
            return eventLoop.makeSucceededFuture(addresses)
        }
    }

    struct Refused: Error, CustomStringConvertible {
        var description: String { "connection refused" }
    }
}

/// The server's end of one connection, in the test's hands.
///
/// `@unchecked Sendable`: tests that use it run on one thread.
final class StagePeer: @unchecked Sendable {
    let address: ServerAddress
    let channel: EmbeddedChannel
    private var inbound = ByteBuffer()
    private var decoder = FrameDecoder()

    init(_ address: ServerAddress, _ channel: EmbeddedChannel) {
        self.address = address
        self.channel = channel
    }

    var isOpen: Bool { channel.isActive }

    /// The frames that the client has sent since the last look.
    func received() throws -> [Frame] {
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { inbound.writeImmutableBuffer(bytes) }
        var frames: [Frame] = []
        while case .frame(let frame)? = try decoder.next(from: &inbound) { frames.append(frame) }
        return frames
    }

    /// As `received`, without the Hello: one word for each frame.
    func summary() throws -> [String] {
        try received().compactMap { frame in
            let id = frame.header.streamID.rawValue
            return switch frame.header.type {
            case .hello: nil
            case .request: "request \(id)"
            case .cancel: "cancel \(id)"
            case .credit: "credit \(id)"
            case .ping: "ping"
            case .pong: "pong"
            default: "other"
            }
        }
    }

    /// The payloads of the requests since the last look.
    func payloads() throws -> [String] {
        try received().filter { $0.header.type == .request }.map { frame in
            String(buffer: try RequestEnvelope(decoding: frame.data, limit: .request).payload)
        }
    }

    func send(_ type: FrameType, on id: StreamID, flags: FrameFlags = [], _ data: ByteBuffer = ByteBuffer()) throws {
        var bytes = ByteBuffer()
        bytes.writeFrame(type, on: id, flags: flags, data: data)
        try channel.writeInbound(bytes)
        channel.embeddedEventLoop.run()
    }

    func answer(_ id: StreamID, _ payload: String = "yes") throws {
        try send(.response, on: id, ResponseEnvelope(payload: ByteBuffer(string: payload)).encoded())
    }

    func fail(_ id: StreamID, _ error: RPCError) throws {
        try send(.response, on: id, ResponseEnvelope(status: error).encoded())
    }

    func hello(maximumStreams: UInt32 = 0) throws {
        let hello = HelloMessage(version: 1, software: "stage", maximumStreams: maximumStreams)
        try send(.hello, on: .connection, hello.encoded())
    }

    func goAway(last: UInt32, retryAfter: Duration? = nil) throws {
        let message = GoAwayMessage(lastStreamID: last, reason: "DRAINING", retryAfter: retryAfter)
        try send(.goAway, on: .connection, message.encoded())
    }

    /// The connection is gone.
    func cut() {
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }
}

extension ClientCall {
    enum Place: Equatable {
        case new
        case queued
        case open(StreamID)
        case backingOff
        case succeeded
        case failed(StatusCode, ErrorReason?)
    }

    /// The state of the call, as a value.
    var place: Place {
        switch phase {
        case .new: .new
        case .queued: .queued
        case .open(_, let id): .open(id)
        case .backingOff: .backingOff
        case .ended(.success): .succeeded
        case .ended(.failure(let error)): .failed(error.code, error.reason)
        }
    }

    var error: RPCError? {
        if case .ended(.failure(let error)) = phase { return error }
        return nil
    }
}
