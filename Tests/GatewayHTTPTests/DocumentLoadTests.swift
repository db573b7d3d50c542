import Foundation
import MarvelDomain
import Synchronization
import Testing
import Upstream

@testable import GatewayHTTP

/// Requests that read documents faster than the catalog file can answer.
@Suite(.timeLimit(.minutes(10)))
struct DocumentLoadTests {
    /// Documents of which every read waits until it is allowed.
    private final class SlowDocuments: DocumentSource {
        let attribution = ""
        let documentCount = 0
        let reads: AsyncStream<Void>
        private let read: AsyncStream<Void>.Continuation
        private let count = Atomic(0)
        private let allowed = DispatchSemaphore(value: 0)

        init() { (reads, read) = AsyncStream.makeStream() }

        var readCount: Int { count.load(ordering: .sequentiallyConsistent) }

        func allow(_ count: Int) { for _ in 0..<count { allowed.signal() } }

        func page(_ query: DocumentQuery) throws -> DocumentPage {
            count.wrappingAdd(1, ordering: .sequentiallyConsistent)
            read.yield()
            allowed.wait()
            return DocumentPage(total: 0, documents: [])
        }

        func contains(_ id: ResourceID) throws -> Bool { false }
        func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64> { [] }
        func list(of kind: ResourceKind, character: Int64) throws -> ResourceList {
            ResourceList(available: 0, items: [])
        }
    }

    private let documents = SlowDocuments()
    private let gate = Gateway.makeGate()
    private var gateway: Gateway {
        get throws {
            var fixture = GatewayFixture()
            fixture.documents = documents
            return try fixture.gateway()
        }
    }

    private func reply(of gateway: Gateway, to path: String = "/v1/public/comics") async -> Reply {
        let request = GatewayRequest(target: "\(path)?\(Vector.credentials)", host: "h")
        return await gateway.answer(request, to: Route(path: path[...]), through: gate).reply
    }

    @Test func aFullQueueIsAnsweredAtOnce() async throws {
        let gateway = try gateway
        let (admitted, count) = (66, 100)
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await reply(of: gateway) } }
            for _ in admitted..<count {
                let reply = await group.next()
                #expect(reply?.status == 503)
                #expect(reply?.text.contains("Too many requests are waiting.") == true)
            }
            documents.allow(admitted)
            for await reply in group { #expect(reply.status == 200) }
        }
        #expect(documents.readCount == admitted)
    }

    @Test func aClientThatIsGoneCostsNoRead() async throws {
        let gateway = try gateway
        let running = (0..<2).map { _ in Task { await reply(of: gateway) } }
        var reads = documents.reads.makeAsyncIterator()
        for _ in running { await reads.next() }
        let waiting = Task { await reply(of: gateway) }
        waiting.cancel()
        _ = await waiting.value
        documents.allow(3)
        for task in running { #expect(await task.value.status == 200) }
        #expect(documents.readCount == 2)
    }

    @Test func aRequestThatReadsNoDocumentsDoesNotWaitForThem() async throws {
        let gateway = try gateway
        let running = (0..<2).map { _ in Task { await reply(of: gateway) } }
        var reads = documents.reads.makeAsyncIterator()
        for _ in running { await reads.next() }
        #expect(await reply(of: gateway, to: "/emblem/3/standard_small.png").status == 200)
        #expect(await reply(of: gateway, to: "/v1/public/foo").status == 404)
        documents.allow(2)
        for task in running { _ = await task.value }
    }

    @Test func noPictureIsDrawnForAClientThatIsGone() async throws {
        let gateway = try gateway
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await reply(of: gateway, to: "/emblem/3/standard_small.png")
        }
        #expect(await task.value.status == 503)
    }
}
