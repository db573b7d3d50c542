import Catalog
import Foundation
import MarvelDomain
import RPCCore

@testable import Upstream

extension FakeFetcher {
    /// Answers as a gateway does, from characters in the order of their names.
    convenience init(_ characters: [MarvelCharacter]) {
        let sorted = characters.sorted { (FoldedName($0.name), $0.id) < (FoldedName($1.name), $1.id) }
        self.init { request in
            if let id = Int64(request.path.split(separator: "/").last ?? "") {
                let found = sorted.filter { $0.id == id }
                guard !found.isEmpty else {
                    return .json(#"{"code":404,"status":"We couldn't find that character"}"#, status: 404)
                }
                return .page(found[...], offset: 0, total: 1)
            }
            let prefix = FoldedName(request["nameStartsWith"] ?? "")
            let found = sorted.filter { FoldedName($0.name).hasPrefix(prefix) }
            let offset = Int(request["offset"] ?? "") ?? 0
            let limit = Int(request["limit"] ?? "") ?? 20
            return .page(found.dropFirst(offset).prefix(limit), offset: offset, total: found.count)
        }
    }
}

extension HTTPRequest {
    private var components: URLComponents? { URLComponents(string: url) }
    var path: String { components?.path ?? "" }
    var host: String? { components?.host }

    /// An item of the query.
    subscript(name: String) -> String? { components?.queryItems?.first { $0.name == name }?.value }
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

extension GatewayCatalog {
    /// A catalog that is to fail at once where its gateway does.
    convenience init(_ gateway: FakeFetcher) throws {
        let clock = UpstreamClock(startingAt: Moment(sinceEpoch: .seconds(1_000_000_000)))
        var limits = UpstreamLimits()
        limits.retry.maximumAttempts = 1
        let caller = UpstreamCaller(limits: limits, clock: clock)
        let client = try client(gateway, gateway: "http://gateway.test")
        self.init(answers: GatewayAnswers(client: client, caller: caller, clock: clock))
    }
}
