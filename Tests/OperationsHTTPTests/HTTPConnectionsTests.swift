import NIOCore
import NIOEmbedded
import RPCCore
import Testing

@testable import HTTPServing

/// The shares of connections of a server of pages.
struct HTTPConnectionsTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private let loop = EmbeddedEventLoop()
    private let connections: HTTPConnections

    init() {
        let limits = HTTPServerLimits(connections: 4, connectionsPerAddress: 2, idleTimeout: .seconds(30))
        connections = HTTPConnections(group: loop, limits: limits)
    }

    private func connect(from address: String, at seconds: Int64) throws -> EmbeddedChannel {
        let timer = HTTPRequestTimer(connections, timeout: .seconds(5))
        let channel = EmbeddedChannel(handler: timer, loop: loop)
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.99", port: 1)).wait()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try connections.accepted(channel, now: Self.start + .seconds(seconds))
        return channel
    }

    @Test func aHostThatHasItsShareLosesItsOldestConnection() throws {
        let other = try connect(from: "192.0.2.2", at: 0)
        let own = try (1...3).map { try connect(from: "192.0.2.1", at: $0) }
        #expect(own.map(\.isActive) == [false, true, true])
        #expect(other.isActive)
    }

    /// A /64 is one host, and mapped addresses are those of IPv4.
    @Test(arguments: [["2001:db8::1", "2001:db8::2", "2001:db8::3"], ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1"]])
    func aHostIsOneInAllItsAddresses(_ addresses: [String]) throws {
        let own = try addresses.enumerated().map { try connect(from: $1, at: Int64($0)) }
        #expect(own.map(\.isActive) == [false, true, true])
    }

    /// Connections of this machine have no share of their own, and are no more than all others either.
    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func theHostWithTheMostMakesRoom(_ address: String) throws {
        let own = try (0..<3).map { try connect(from: address, at: $0) }
        let others = try (3..<5).map { try connect(from: "192.0.2.\($0)", at: $0) }
        #expect(own.map(\.isActive) == [false, true, true])
        #expect(others.map(\.isActive) == [true, true])
    }

    @Test func aConnectionThatIsAnsweredStays() throws {
        let answered = try connect(from: "192.0.2.1", at: 0)
        let waiting = try connect(from: "192.0.2.1", at: 1)
        connections.noteProgress(of: answered, isAnswering: true)
        let new = try connect(from: "192.0.2.1", at: 2)
        #expect([answered, waiting, new].map(\.isActive) == [true, false, true])
        connections.noteProgress(of: new, isAnswering: true)
        #expect(throws: ConnectionError.self) { _ = try connect(from: "192.0.2.1", at: 3) }
    }

    /// A peer that reads no answer does not keep its place for ever.
    @Test func anAnswerThatNobodyReadsKeepsNoPlace() throws {
        let stalled = try (0..<2).map { try connect(from: "192.0.2.1", at: $0) }
        for channel in stalled { connections.noteProgress(of: channel, isAnswering: true, now: Self.start) }
        #expect(throws: ConnectionError.self) { _ = try connect(from: "192.0.2.1", at: 30) }
        _ = try connect(from: "192.0.2.1", at: 31)
        #expect(stalled.filter(\.isActive).count == 1)
    }

    @Test func aConnectionThatClosesFreesItsPlace() throws {
        let first = try connect(from: "192.0.2.1", at: 0)
        let second = try connect(from: "192.0.2.1", at: 1)
        _ = try first.finish()
        _ = try connect(from: "192.0.2.1", at: 2)
        #expect(second.isActive)
    }

    /// The time of a request begins with the connection, or with the first bytes of a further one.
    @Test func aRequestHasItsTime() throws {
        let channel = try connect(from: "192.0.2.1", at: 0)
        loop.advanceTime(by: .seconds(4))
        try channel.writeInbound(ByteBuffer(string: "GET "))
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }
}
