internal import Foundation
internal import MarvelDomain
internal import Synchronization

@testable internal import MarvelAPI

/// A gateway in memory, whose characters can change while it is copied.
final class ListGateway: HTTPFetcher {
    private struct State {
        var characters: [MarvelCharacter]
        var requests: [URLComponents] = []
        var failures: [HTTPFetchError] = []
    }

    private let state: Mutex<State>
    /// Called with the number of each request, from 1, before it is answered.
    private let onRequest: @Sendable (ListGateway, Int) -> Void

    /// Changes the answer to a request, by its number, before it is sent.
    private let onPage: @Sendable (Int, inout Page) -> Void

    /// A page of the list.
    struct Page {
        var characters: [MarvelCharacter]
        var total: Int
    }

    /// - Parameters:
    ///   - characters: In the order of their names.
    ///   - onRequest: Changes what it likes.
    ///   - onPage: Makes what it likes of a page.
    init(
        _ characters: [MarvelCharacter],
        onRequest: @escaping @Sendable (ListGateway, Int) -> Void = { _, _ in },
        onPage: @escaping @Sendable (Int, inout Page) -> Void = { _, _ in }
    ) {
        state = Mutex(State(characters: characters))
        self.onPage = onPage
        self.onRequest = onRequest
    }

    var characters: [MarvelCharacter] { state.withLock(\.characters) }

    /// Path and query of what was asked of the list of characters.
    var requests: [URLComponents] { state.withLock { $0.requests.filter { $0.path.hasSuffix("/characters") } } }
    var pictureRequests: [String] {
        state.withLock { $0.requests.map(\.path).filter { !$0.hasSuffix("/characters") } }
    }

    func change(_ body: (inout [MarvelCharacter]) -> Void) { state.withLock { body(&$0.characters) } }

    /// The next requests fail in these ways.
    func fail(_ failures: [HTTPFetchError]) { state.withLock { $0.failures += failures } }

    func get(_ request: HTTPRequest) async throws(HTTPFetchError) -> HTTPResponse {
        guard let url = URLComponents(string: request.url) else { throw .unsupportedURL }
        let (number, failure) = state.withLock { state in
            state.requests.append(url)
            return (state.requests.count, state.failures.isEmpty ? nil : state.failures.removeFirst())
        }
        onRequest(self, number)
        if let failure { throw failure }
        guard url.path.hasSuffix("/characters") else { return picture(url.path) }
        return page(url, number)
    }

    private func page(_ url: URLComponents, _ number: Int) -> HTTPResponse {
        let since = url["modifiedSince"].flatMap(MarvelDate.queryDate)
        let found = state.withLock(\.characters).filter { character in
            since.map { (character.modified ?? Timestamp(seconds: 0)) >= $0 } ?? true
        }
        let offset = Int(url["offset"] ?? "") ?? 0
        let characters = Array(found.dropFirst(offset).prefix(Int(url["limit"] ?? "") ?? 20))
        var page = Page(characters: characters, total: found.count)
        onPage(number, &page)
        let wrapper: [String: Any] = [
            "code": 200, "attributionText": "Data provided by a test",
            "data": [
                "offset": offset, "total": page.total, "count": page.characters.count,
                "results": page.characters.map(\.json),
            ],
        ]
        let body = (try? JSONSerialization.data(withJSONObject: wrapper)) ?? Data()
        return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body))
    }

    /// Those of `/broken` are none.
    private func picture(_ path: String) -> HTTPResponse {
        guard !path.hasPrefix("/broken") else { return HTTPResponse(status: 200, body: Array("<html>".utf8)) }
        guard !path.hasPrefix("/gone") else { return HTTPResponse(status: 404) }
        let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(path.utf8)
        return HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], body: bytes)
    }
}

extension URLComponents {
    subscript(name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}

extension MarvelCharacter {
    fileprivate var json: [String: Any] {
        var json: [String: Any] = ["id": id, "name": name, "description": description]
        if let modified { json["modified"] = MarvelDate.text(modified) }
        if let thumbnail { json["thumbnail"] = ["path": thumbnail.path, "extension": thumbnail.fileExtension] }
        return json
    }
}
