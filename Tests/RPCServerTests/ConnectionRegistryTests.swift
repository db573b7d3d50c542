import NIOCore
import NIOEmbedded
import Testing

@testable import RPCServer

struct ConnectionRegistryTests {
    private func channel(from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        return channel
    }

    @Test func anAddressHasItsShareAndAnotherOneHasItsOwn() throws {
        let registry = ConnectionRegistry(maximum: 100, maximumPerAddress: 2)
        let first = try channel(from: "192.0.2.1")
        #expect(registry.connectionAccepted(first) == .serve)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .serve)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .refuse)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.2")) == .serve)
        _ = try first.finish()
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .serve)
        #expect(registry.count == 3)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.53", "::1"])
    func connectionsOfThisMachineAreNotCountedByAddress(_ address: String) throws {
        let registry = ConnectionRegistry(maximum: 5, maximumPerAddress: 1)
        for _ in 0..<5 { #expect(registry.connectionAccepted(try channel(from: address)) == .serve) }
        #expect(registry.connectionAccepted(try channel(from: address)) == .refuse)
    }

    @Test func connectionsAcceptedDuringADrainAreDrained() throws {
        let registry = ConnectionRegistry(maximum: 5, maximumPerAddress: 5)
        registry.drain()
        #expect(registry.connectionAccepted(try channel(from: "127.0.0.1")) == .drain)
    }

    @Test func aHostThatHasItsShareLosesItsOldestConnection() throws {
        let registry = ConnectionRegistry(maximum: 4, maximumPerAddress: 2, makesRoom: true)
        let other = try accept(from: "192.0.2.2", at: 0, in: registry)
        let own = try (1...3).map { try accept(from: "192.0.2.1", at: $0, in: registry) }
        #expect(own.map(\.isActive) == [false, true, true])
        #expect(other.isActive)
        #expect(registry.count == 3)
    }

    /// Connections of this machine have no share of their own, and are no more than all others either.
    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func theHostWithTheMostMakesRoom(_ address: String) throws {
        let registry = ConnectionRegistry(maximum: 4, maximumPerAddress: 2, makesRoom: true)
        let own = try (0..<3).map { try accept(from: address, at: $0, in: registry) }
        let others = try (3..<5).map { try accept(from: "192.0.2.\($0)", at: $0, in: registry) }
        #expect(own.map(\.isActive) == [false, true, true])
        #expect(others.map(\.isActive) == [true, true])
    }

    @Test func aConnectionThatIsAnsweredStays() throws {
        let registry = ConnectionRegistry(maximum: 4, maximumPerAddress: 2, makesRoom: true)
        let answered = try accept(from: "192.0.2.1", at: 0, in: registry)
        let waiting = try accept(from: "192.0.2.1", at: 1, in: registry)
        registry.noteProgress(of: answered, isAnswering: true)
        let new = try accept(from: "192.0.2.1", at: 2, in: registry)
        #expect([answered, waiting, new].map(\.isActive) == [true, false, true])
        registry.noteProgress(of: new, isAnswering: true)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .refuse)
    }

    private func accept(
        from address: String,
        at seconds: Int64,
        in registry: ConnectionRegistry
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.99", port: 1)).wait()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        #expect(registry.connectionAccepted(channel, now: .uptimeNanoseconds(1) + .seconds(seconds)) == .serve)
        return channel
    }

    @Test func newLimitsHoldForNewConnections() throws {
        let registry = ConnectionRegistry(maximum: 5, maximumPerAddress: 2)
        for _ in 0..<2 { #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .serve) }
        registry.limit(to: 3, perAddress: 1)
        #expect(registry.count == 2, "open connections stay")
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.1")) == .refuse)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.2")) == .serve)
        #expect(registry.connectionAccepted(try channel(from: "192.0.2.3")) == .refuse)
    }
}
