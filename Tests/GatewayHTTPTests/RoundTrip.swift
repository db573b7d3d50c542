import CurlTransport
import MarvelDomain
import Testing

@testable import GatewayHTTP
@testable import Upstream

/// Our own client and our own gateway, with a socket between them.
struct RoundTrip: Sendable {
    let url: GatewayURL
    private let client: MarvelAPIClient
    private let keys: MarvelKeys
    private let transport: CurlTransport

    /// - Parameters:
    ///   - fixture: The gateway.
    ///   - use: Is done while the gateway runs.
    /// - Throws: What `use` throws, or why one of the two does not start.
    static func with(
        _ fixture: GatewayFixture = GatewayFixture(),
        _ use: @Sendable (RoundTrip) async throws -> Void
    ) async throws {
        let keys = try #require(Vector.keys)
        try await RunningGateway.with(fixture) { gateway in
            let transport = try CurlTransport()
            let url = try GatewayURL("http://127.0.0.1:\(gateway.port)")
            let client = MarvelAPIClient(
                gateway: url,
                keys: keys,
                transport: transport,
                timestamp: { "어제 + 1" }
            )
            try await use(RoundTrip(url: url, client: client, keys: keys, transport: transport))
            await transport.shutdown()
        }
    }

    func results(of question: GatewayQuestion) async throws -> CharacterResults {
        try #require(try await client.results(of: question, ifNoneMatch: nil))
    }

    /// The ids that the client reads in the answer to a signed question that it never asks itself.
    func ids(_ query: (String, String)...) async throws -> [Int64] {
        let signed = SignedURL(gateway: url, path: "/characters", query: query, timestamp: "1", keys: keys)
        let response = try await transport.get(HTTPRequest(url: signed.text))
        return try ReplyReader(keys: keys).page(response, offset: 0, limit: 20).characters.map(\.id)
    }
}
