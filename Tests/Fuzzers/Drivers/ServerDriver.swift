internal import Logging
internal import MarvelDomain
package import NIOCore
internal import NIOEmbedded
internal import RPCCore
package import RPCServer

/// Accounts for the bytes of a connection in both directions, and so knows the answers that its server may send.
package protocol AnswerAccount {
    static var wire: ServerWire { get }
    static var limits: PeerLimits { get }
    /// The bytes with which every peer begins.
    static var preface: ByteBuffer { get }
    static var maximumMessageByteCount: Int { get }
    /// The maximum of bytes that the server may keep of requests.
    static var maximumInboundByteCount: Int { get }

    init()
    /// Notes bytes of the peer, before the server reads them.
    mutating func received(_ bytes: ByteBuffer)
    /// Takes what the server has sent in a turn.
    ///
    /// - Returns: What is wrong with it; nil if nothing is.
    mutating func breach(in output: ByteBuffer) -> String?
}

/// Drives one connection of a server by its bytes, in the place of a socket. Time passes only in `wait`.
package final class ServerDriver<Account: AnswerAccount> {
    /// Each breach of a promise, in words.
    package private(set) var breaches: [String] = []
    package private(set) var account = Account()
    private let server: ServerContext
    private let service: RandomService
    private let channel = EmbeddedChannel()
    private let reads = Reads()
    /// The bytes that the peer has sent and the server has not read.
    private var unread = CircularBuffer<ByteBuffer>()
    private var outbound = ByteBuffer()

    package init(seed: UInt64) {
        service = RandomService(seed: seed, maximumMessageByteCount: Account.maximumMessageByteCount)
        var configuration = ServerConfiguration()
        configuration.limits = Account.limits
        server = ServerContext(
            services: [service.description],
            configuration: configuration,
            caller: { _ in nil },
            group: channel.embeddedEventLoop,
            logger: Logger(label: "fuzzer") { _ in SwiftLogNoOpLogHandler() }
        )
        do {
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
            channel.remoteAddress = address
            try channel.pipeline.syncOperations.addHandler(reads)
            try Account.wire.open(channel, server, false)
            channel.connect(to: address, promise: nil)
        } catch {
            breaches.append("the connection does not open: \(error)")
        }
        receive(Account.preface)
    }

    deinit { disconnect() }

    /// Plays what a peer sent, cut into reads, with other events between them, to the connection's end.
    ///
    /// - Parameters:
    ///   - bytes: Anything.
    ///   - seed: Decides on the cuts, and on what happens when.
    /// - Returns: Each breach of a promise; none, if all is well.
    package static func play(_ bytes: ByteBuffer, seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let driver = ServerDriver(seed: random.next())
        var rest = bytes
        while let piece = random.read(from: &rest) {
            driver.receive(piece)
            for _ in 0..<Int.random(in: 0...4, using: &random) { driver.work() }
            switch Int.random(in: 0..<64, using: &random) {
            case 0..<2: driver.readingChanged(peerReads: false)
            case 2..<4: driver.readingChanged(peerReads: true)
            case 16..<20: driver.wait(.seconds(1))
            case 20: driver.wait(.minutes(6))
            case 21: driver.drain()
            default: break
            }
        }
        if random.oneIn(2) { driver.readingChanged(peerReads: true) }
        for _ in 0..<Int.random(in: 0...32, using: &random) { driver.work() }
        if random.oneIn(2) { driver.fire(ChannelEvent.inputClosed) }
        if random.oneIn(4) { driver.fire(ConnectionEvent.drainEnds) }
        driver.disconnect()
        return driver.breaches
    }

    // MARK: The peer

    package func receive(_ bytes: ByteBuffer) {
        unread.append(bytes)
        read()
    }

    /// Lets the server read, as long as it wants to.
    private func read() {
        while isOpen, let piece = unread.first {
            if !reads.areWanted { channel.read() }
            guard reads.areWanted else { return }
            reads.areWanted = false
            unread.removeFirst()
            account.received(piece)
            channel.pipeline.syncOperations.fireChannelRead(NIOAny(piece))
            channel.pipeline.syncOperations.fireChannelReadComplete()
            turnEnded()
        }
    }

    /// The peer takes what is sent to it, or no longer does.
    private func readingChanged(peerReads: Bool) {
        channel.isWritable = peerReads
        channel.pipeline.syncOperations.fireChannelWritabilityChanged()
        turnEnded()
        read()
    }

    package func takeOutbound() -> ByteBuffer {
        defer { outbound.clear() }
        return outbound
    }

    package var isOpen: Bool { channel.isActive }

    package func disconnect() {
        channel.close(promise: nil)
        turnEnded()
        service.endWork()
        turnEnded()
        expect(server.isIdle, "something is left of the connection")
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    // MARK: The server

    /// Whether no work of a call runs.
    package var isIdle: Bool { service.runningCount == 0 }

    /// Lets a call continue, if one waits.
    package func work() {
        service.work()
        turnEnded()
        read()
    }

    private func wait(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
        turnEnded()
        read()
    }

    package func drain() { fire(ConnectionEvent.drainBegins) }

    private func fire(_ event: any Sendable) {
        channel.pipeline.syncOperations.fireUserInboundEventTriggered(event)
        turnEnded()
    }

    private func turnEnded() {
        channel.embeddedEventLoop.run()
        var output = ByteBuffer()
        while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { output.writeImmutableBuffer(bytes) }
        if let breach = account.breach(in: output) { breaches.append(breach) }
        outbound.writeImmutableBuffer(output)
        // Work that was cancelled and has not stopped still counts.
        let (running, kept) = (service.runningCount, server.inbound.byteCount)
        expect(running <= Account.limits.maximumStreams, "\(running) calls are running")
        expect(kept <= Account.maximumInboundByteCount, "\(kept) bytes of requests are kept")
    }

    private func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
        if !isTrue { breaches.append(breach()) }
    }
}

/// The handler in the place of the socket: it notes whether the server wants to read.
private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var areWanted = false

    func read(context: ChannelHandlerContext) { areWanted = true }
}

extension SplitMix64 {
    /// Takes the bytes of one read: at most 1 KiB, perhaps one byte.
    mutating func read(from bytes: inout ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        let most = [1, 16, 64, 1024].randomElement(using: &self) ?? 1
        return bytes.readSlice(length: min(Int.random(in: 1...most, using: &self), bytes.readableBytes))
    }
}
