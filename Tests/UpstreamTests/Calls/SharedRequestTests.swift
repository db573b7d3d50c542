import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireMessages

@testable import Upstream

/// Many callers, one request.
@Suite struct SharedRequestTests {
    /// Until so many wait for an answer: they are tasks, and nothing tells when all have begun to.
    private func waiting(_ count: Int, _ scene: GatewayScene) async throws {
        while scene.counts.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func callers(_ count: Int, _ scene: GatewayScene) -> [Task<[Int64], any Error>] {
        (0..<count).map { _ in Task { try await scene.search().ids } }
    }

    @Test func theLatestDeadlineOfTheCallersDecidesOnARetry() async throws {
        let gateway = SteppedGateway()
        let scene = try GatewayScene(gateway)
        let hurried = CallDeadline.$current.withValue(.now() + .seconds(1)) { callers(1, scene) }
        try await waiting(1, scene)
        let patient = CallDeadline.$current.withValue(.now() + .seconds(60)) { callers(1, scene) }
        try await waiting(2, scene)
        await gateway.next()
        gateway.answer(.success(HTTPResponse(status: 503, headers: ["Retry-After": "2"])))
        #expect(await scene.time.nextSleep() == .milliseconds(2_105))
        scene.time.advance(by: .milliseconds(2_105))
        await gateway.next()
        gateway.answer(.success(.spiders))
        for caller in hurried + patient { #expect(try await caller.value == [1, 2]) }
    }

    /// Stale answers are served while they are refreshed.
    @Test func aSlowGatewayIsNotWaitedForWhenThereIsSomethingOlder() async throws {
        let gateway = SteppedGateway()
        let scene = try GatewayScene(gateway)
        let first = Task { try await scene.search() }
        await gateway.next()
        gateway.answer(.success(.spiders))
        _ = try await first.value
        scene.time.advance(by: .seconds(86_400))

        let second = Task { try await scene.search() }
        await gateway.next()
        #expect(await scene.time.nextSleep() == .seconds(1))
        scene.time.advance(by: .seconds(1))
        #expect(try await second.value.provenance.freshness.isStale)
        let third = try await scene.search()
        #expect(third.provenance.freshness.isStale, "immediately: the gateway is known to be slow")
        #expect(gateway.requests.count == 2)

        // Nobody waits, and the answer is kept all the same.
        gateway.answer(.success(.spiders))
        while try await scene.search().provenance.freshness.isStale { try await Task.sleep(for: .milliseconds(1)) }
        #expect(gateway.requests.count == 2)
    }

    @Test func notMoreThanEightRequestsAreUnderWay() async throws {
        let gateway = SteppedGateway()
        let scene = try GatewayScene(gateway)
        let callers = (0..<20).map { offset in Task { try await scene.search(offset: offset).total } }
        for _ in 0..<8 { await gateway.next() }
        try await waiting(20, scene)
        #expect(gateway.requests.count == 8)
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: CatalogError.self) { try await caller.value } }
    }
}
