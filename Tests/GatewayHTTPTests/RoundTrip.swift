import CurlTransport
import MarvelDomain
import Testing
import Upstream

@testable import GatewayHTTP
@testable import MarvelAPI

/// Our own client and our own gateway, with a socket between them.
struct RoundTrip: Sendable {
    let url: GatewayURL
    let client: MarvelAPIClient
    let pictures: PictureClient
    private let keys: MarvelKeys
    private let transport: CurlTransport

    /// - Parameters:
    ///   - fixture: The gateway.
    ///   - keys: The client's; nil: those that the gateway knows.
    ///   - use: Is done while the gateway runs.
    /// - Throws: What `use` throws, or why one of the two does not start.
    static func with(
        _ fixture: GatewayFixture = GatewayFixture(),
        keys: MarvelKeys? = nil,
        _ use: @Sendable (RoundTrip) async throws -> Void
    ) async throws {
        let keys = try #require(keys ?? Vector.keys)
        try await RunningGateway.with(fixture) { gateway in
            let transport = try CurlTransport()
            let url = try GatewayURL("http://127.0.0.1:\(gateway.port)")
            let client = MarvelAPIClient(
                gateway: url,
                keys: keys,
                transport: transport,
                timestamp: { "어제 + 1" }
            )
            let pictures = PictureClient(hosts: PictureHosts(of: url), transport: transport)
            try await use(RoundTrip(url: url, client: client, pictures: pictures, keys: keys, transport: transport))
            await transport.shutdown()
        }
    }

    /// The answer to a signed question that the client itself never asks.
    func answer(_ query: [(String, String)], headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        let signed = SignedURL(gateway: url, path: "/characters", query: query, timestamp: "1", keys: keys)
        return try await transport.get(HTTPRequest(url: signed.text, headers: headers))
    }

    /// The answer to anything: what stands behind the gateway's port.
    func answer(target: String, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
        try await transport.get(HTTPRequest(url: url.base + target, headers: headers))
    }

    /// Returns the client's reading of an answer.
    func reading(_ response: HTTPResponse, offset: Int = 0, limit: Int = 20) throws(SourceError) -> CharacterResults {
        try ReplyReader(keys: keys).page(response, offset: offset, limit: limit)
    }

    /// The ids that the client reads in the answer to a question.
    func ids(_ query: (String, String)...) async throws -> [Int64] {
        try reading(try await answer(query)).characters.map(\.id)
    }

    /// Returns the client's error for a search by name.
    func failure() async throws -> SourceError {
        try #require(
            await #expect(throws: SourceError.self) {
                try await client.characters(nameStartsWith: "hu", offset: 0, limit: 20)
            }
        )
    }

    /// Returns the client's reading of a refusal, and the body of the answer.
    func refusal(_ response: HTTPResponse) throws -> (error: SourceError, body: String) {
        let error = #expect(throws: SourceError.self) { try reading(response) }
        return (try #require(error), String(decoding: response.body, as: UTF8.self))
    }
}

extension MarvelAPIClient {
    /// Asks a question of which nothing is cached.
    private func results(of question: GatewayQuestion) async throws -> CharacterResults {
        try #require(try await results(of: question, ifNoneMatch: nil))
    }

    func characters(nameStartsWith text: String, offset: Int, limit: Int) async throws -> CharacterResults {
        try await results(of: .page(prefix: text, offset: offset, limit: limit))
    }

    func character(id: Int64) async throws -> CharacterResults {
        try await results(of: .character(id: id))
    }
}
