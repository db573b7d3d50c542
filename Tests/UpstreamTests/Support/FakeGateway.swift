import Catalog
import Foundation
import MarvelDomain
import RPCCore
import Synchronization
import Testing

@testable import Upstream

/// Answers as a gateway does, in memory: from a list of characters, or with a failure.
final class FakeGateway: HTTPFetcher {
    private let characters: [MarvelCharacter]
    private let answer: (@Sendable (URLComponents) throws(SourceError) -> HTTPResponse)?
    private let received = Mutex<[URLComponents]>([])

    /// Serves `characters` in the order of their names.
    init(_ characters: [MarvelCharacter]) {
        self.characters = characters.sorted {
            (FoldedName($0.name), $0.id) < (FoldedName($1.name), $1.id)
        }
        self.answer = nil
    }

    /// Gives the same answer to everything.
    init(answer: @escaping @Sendable (URLComponents) throws(SourceError) -> HTTPResponse) {
        self.characters = []
        self.answer = answer
    }

    var requests: [URLComponents] { received.withLock { $0 } }

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        guard let url = URLComponents(string: request.url) else { throw .failed("no URL") }
        received.withLock { $0.append(url) }
        if let answer { return try answer(url) }
        if let id = Int64(url.path.split(separator: "/").last ?? "") {
            let found = characters.filter { $0.id == id }
            guard !found.isEmpty else {
                return .json(#"{"code":404,"status":"We couldn't find that character"}"#, status: 404)
            }
            return .page(found[...], offset: 0, total: 1)
        }
        let prefix = FoldedName(url["nameStartsWith"] ?? "")
        let found = characters.filter { FoldedName($0.name).hasPrefix(prefix) }
        let offset = Int(url["offset"] ?? "") ?? 0
        let limit = Int(url["limit"] ?? "") ?? 20
        return .page(found.dropFirst(offset).prefix(limit), offset: offset, total: found.count)
    }
}

extension URLComponents {
    subscript(name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    /// A `CharacterDataWrapper`.
    static func page(
        _ characters: ArraySlice<MarvelCharacter>,
        offset: Int,
        total: Int,
        attribution: String = "Data provided by a test"
    ) -> HTTPResponse {
        let data: [String: Any] = [
            "offset": offset, "limit": 20, "total": total, "count": characters.count,
            "results": characters.map(\.json),
        ]
        let wrapper: [String: Any] = [
            "code": 200, "status": "Ok", "attributionText": attribution, "etag": String(repeating: "0", count: 40),
            "data": data,
        ]
        let body = (try? JSONSerialization.data(withJSONObject: wrapper)) ?? Data()
        return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body))
    }
}

extension MarvelCharacter {
    fileprivate var json: [String: Any] {
        let list = { (count: Int32) in ["available": count, "items": [Any](), "returned": 0] as [String: Any] }
        return [
            "id": id, "name": name, "description": description, "modified": "2014-04-29T14:18:17-0400",
            "thumbnail": [
                "path": "http://gateway.test/\(thumbnail?.path ?? "")", "extension": thumbnail?.fileExtension ?? "",
            ],
            "resourceURI": "http://gateway.marvel.com/v1/public/characters/\(id)", "comics": list(comicCount),
            "series": list(seriesCount), "stories": list(storyCount), "events": list(eventCount), "urls": [Any](),
        ]
    }
}

extension MarvelAPIClient {
    /// A client of the fake, whose requests are all signed at the same time.
    init(_ gateway: FakeGateway) throws {
        let keys = try #require(MarvelKeys(publicKey: "1234", privateKey: "abcd"))
        self.init(gateway: try GatewayURL("http://gateway.test"), keys: keys, transport: gateway, timestamp: { "1" })
    }
}

extension GatewayCatalog {
    /// A catalog that is to fail at once where its gateway does.
    convenience init(_ gateway: FakeGateway) throws {
        let clock = UpstreamClock(startingAt: Moment(sinceEpoch: .seconds(1_000_000_000)))
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        let caller = UpstreamCaller(limits: limits, clock: clock)
        self.init(answers: GatewayAnswers(client: try MarvelAPIClient(gateway), caller: caller, clock: clock))
    }
}
