import NIOCore
import NIOEmbedded
import Testing

@testable import RPCTransport

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

    @Test func whoeverIsStillAcceptedByADrainingServerIsDrained() throws {
        let registry = ConnectionRegistry(maximum: 5, maximumPerAddress: 5)
        registry.drain()
        #expect(registry.connectionAccepted(try channel(from: "127.0.0.1")) == .drain)
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
