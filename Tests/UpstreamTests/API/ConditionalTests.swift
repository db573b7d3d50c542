import MarvelDomain
import Testing
import Upstream

@Suite struct ConditionalTests {
    private let tag = "0123456789abcdef0123456789abcdef01234567"
    private let question = GatewayQuestion.page(prefix: "sa", offset: 0, limit: 20)

    @Test func aTagIsSentAsItCame() async throws {
        let transport = FixedFetcher(status: 304, headers: ["ETag": tag], "")
        let client = try client(transport)
        #expect(try await client.results(of: question, ifNoneMatch: tag) == nil)
        #expect(try await client.results(of: .character(id: 7), ifNoneMatch: tag) == nil)
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [tag, tag])
    }

    @Test func withoutATagNoneIsSent() async throws {
        let transport = FixedFetcher(status: 200, page())
        _ = try await client(transport).characters(nameStartsWith: "sa", offset: 0, limit: 20)
        #expect(transport.requests.map { $0.headers["If-None-Match"] } == [nil])
    }

    @Test func anotherAnswerIsRead() async throws {
        let transport = FixedFetcher(status: 200, headers: ["ETag": "new"], page(#"{"id":1,"name":"Sample"}"#))
        let results = try await client(transport).results(of: question, ifNoneMatch: tag)
        #expect(results?.etag == "new")
        #expect(results?.characters.map(\.id) == [1])
    }

    @Test func notModifiedIsInvalidWithoutACachedAnswer() async throws {
        let transport = FixedFetcher(status: 304, "")
        let error = try await failure { try await client(transport).character(id: 7) }
        #expect(error == .unavailable(status: 304, retryAfter: nil))
    }
}
