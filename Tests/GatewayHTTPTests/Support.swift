import Foundation
import MarvelDomain
import Testing
import Upstream

@testable import GatewayHTTP

/// The key pair and signature of the Marvel API's example of a signature.
enum Vector {
    static let credentials = "ts=1&apikey=1234&hash=ffd275c5130566a2916217b101f26150"
    static let keys = MarvelKeys(publicKey: "1234", privateKey: "abcd")
}

/// Three characters, of whom two are alike but for case, and a clock that stands still in 2025.
struct GatewayFixture {
    static let characters = [
        MarvelCharacter(id: 3, name: "Ant-Man", modified: Timestamp(seconds: 1_398_795_497), comicCount: 7),
        MarvelCharacter(id: 1, name: "hulk"),
        MarvelCharacter(id: 2, name: "Hulk"),
    ]

    var characters = GatewayFixture.characters
    var settings = GatewaySettings()
    var accountStatus = GatewayAccount.Status.active
    var acceptsAnyKey = false
    var referers: [RefererPattern] = []
    var documents: (any DocumentSource)?
    var uptime: @Sendable () -> Duration = { .zero }

    func gateway() throws -> Gateway {
        let account = GatewayAccount(try #require(Vector.keys), status: accountStatus)
        return Gateway(
            catalog: ServedCharacters(characters),
            documents: documents,
            keys: KeyRing([account], acceptsAnyKey: acceptsAnyKey, referers: referers),
            settings: settings,
            clock: GatewayClock(now: { Timestamp(seconds: 1_750_000_000) }, uptime: uptime)
        )
    }
}

extension Gateway {
    /// The answer to a request, and how long it is held back is left out.
    func reply(_ target: String, method: String = "GET", configure: (inout GatewayRequest) -> Void = { _ in }) -> Reply
    {
        var request = GatewayRequest(method: method, target: target, host: "gateway.test:6163")
        configure(&request)
        return answer(request).reply
    }

    /// The answer to a signed request for the list of characters.
    func search(_ parameters: String = "", configure: (inout GatewayRequest) -> Void = { _ in }) -> Reply {
        reply("/v1/public/characters?\(Vector.credentials)&\(parameters)", configure: configure)
    }
}

extension Reply {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The parsed body of an answer with characters.
    func page() throws -> Page { try JSONDecoder().decode(Wrapper.self, from: Data(body)).data }

    struct Page: Decodable {
        struct Result: Decodable { var id: Int }
        var offset: Int
        var limit: Int
        var total: Int
        var count: Int
        var results: [Result]
        var ids: [Int] { results.map(\.id) }
    }

    private struct Wrapper: Decodable { var data: Page }
}
