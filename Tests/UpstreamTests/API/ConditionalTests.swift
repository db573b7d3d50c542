import MarvelDomain
import Testing
import Upstream

@Suite struct ConditionalTests {
    private let tag = "0123456789abcdef0123456789abcdef01234567"
    private let question = GatewayQuestion.page(prefix: "sa", offset: 0, limit: 20)

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
