import MarvelDomain
import Testing
import Upstream

/// The keys of the contract's own example.
func exampleKeys() throws -> MarvelKeys {
    try #require(MarvelKeys(publicKey: "1234", privateKey: "abcd"))
}

/// A client whose clock stands at 1.
func client(_ transport: FakeFetcher, gateway: String = "https://gateway.example") throws -> MarvelAPIClient {
    MarvelAPIClient(
        gateway: try GatewayURL(gateway),
        keys: try exampleKeys(),
        transport: transport,
        timestamp: { "1" }
    )
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

/// A page around entries written out as JSON.
func page(_ entries: String..., offset: Int = 0, total: Int? = nil) -> String {
    """
    {"code":200,"status":"Ok","attributionText":"Data provided by Example.","etag":"fe11","data":{"offset":\(offset),\
    "limit":20,"total":\(total ?? entries.count),"count":\(entries.count),"results":[\(entries.joined(separator: ","))]}}
    """
}

/// Returns the result of reading a body.
func reading(_ body: String) async throws -> CharacterResults {
    try await client(FakeFetcher(status: 200, body)).characters(nameStartsWith: "sa", offset: 0, limit: 20)
}

/// The error that a call throws.
func failure(_ body: () async throws -> CharacterResults) async throws -> SourceError {
    try #require(await #expect(throws: SourceError.self) { try await body() })
}
