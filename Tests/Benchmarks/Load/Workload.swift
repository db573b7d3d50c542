import ArgumentParser
import Catalog
import Framing
import MarvelDomain
import NIOCore
import WireMessages

/// The requests that a load repeats.
enum Workload: String, Codable, CaseIterable, ExpressibleByArgument, Sendable {
    /// One page of ten characters, as a unary call: always the same one.
    case page
    /// One of 2,048 such pages in turn: many more than a server keeps answers.
    case pages
    /// A hundred such pages, as a stream.
    case stream
    /// A call that does nothing: `grpc.health.v1.Health/Check`.
    case tiny
    /// The oldest of five favorites removed and another one saved, in turn; each connection has a list of its own.
    case toggle
    /// A favorite saved, and the oldest of a full list evicted; every call changes the list.
    case evict
    /// `ListFavorites` of five; each connection has a list of its own.
    case list
    /// `GetCharacter`.
    case character
    /// `SuggestNames` for a few letters.
    case suggest
    /// `GetThumbnail`.
    case thumbnail

    static let pagesPerStream = 100
    /// Matches thousands of the synthetic catalog's names, so that a stream of a hundred pages has them.
    static let query = "co"

    /// The frames that a connection sends in turn.
    func requests(connection: Int) -> [RequestTemplate] {
        switch self {
        case .page: [RequestTemplate(search(maxPages: 1))]
        case .pages: (0..<2_048).map { RequestTemplate(search(maxPages: 1, skip: $0)) }
        case .stream: [RequestTemplate(search(maxPages: Int32(Workload.pagesPerStream)), flags: .remoteClosed)]
        case .tiny:
            [RequestTemplate(call("Check", HealthCheckRequest(), of: "grpc.health.v1.Health"))]
        case .toggle:
            // The first round fills an empty list; after that, each call changes it.
            (0..<10).flatMap { oldest in
                [toggle(.removed, oldest, on: connection), toggle(.saved, (oldest + 5) % 10, on: connection)]
            }
        // Twice as many as a list holds: when a character's turn comes again, it has been evicted long since.
        case .evict: (0..<10).map { toggle(.toggle, $0, on: connection) }
        case .list:
            [RequestTemplate(call("ListFavorites", ListFavoritesRequest(list: Workload.list(connection))))]
        case .character:
            Workload.characters.map { RequestTemplate(call("GetCharacter", GetCharacterRequest(id: $0.id))) }
        case .suggest:
            [RequestTemplate(call("SuggestNames", SuggestNamesRequest(query: Workload.query)))]
        case .thumbnail:
            Workload.characters.map { RequestTemplate(call("GetThumbnail", GetThumbnailRequest(id: $0.id))) }
        }
    }

    /// The frames that are sent once, one after the other, before the load of a connection.
    func preparation(connection: Int) -> [RequestTemplate] {
        self == .list ? (0..<5).map { toggle(.saved, $0, on: connection) } : []
    }

    /// The characters that the calls name: the first ones of every synthetic catalog.
    static let characters = SyntheticCharacters(count: 10)

    /// The list of a connection.
    static func list(_ connection: Int) -> String { "bench-\(connection)" }

    private func toggle(_ desired: DesiredValue, _ character: Int, on connection: Int) -> RequestTemplate {
        let request = ToggleFavoriteRequest(
            list: Workload.list(connection),
            characterID: Workload.characters[character].id,
            requestID: RequestTemplate.requestID,
            desired: desired
        )
        return RequestTemplate(call("ToggleFavorite", request))
    }

    private func search(maxPages: Int32, skip: Int32 = 0) -> RequestEnvelope {
        call(
            "SearchCharacters",
            SearchCharactersRequest(query: Workload.query, pageSize: 10, skip: skip, maxPages: maxPages)
        )
    }

    private func call(
        _ method: String,
        _ request: some WireMessage,
        of service: String = "marvel.v1.MarvelService"
    ) -> RequestEnvelope {
        RequestEnvelope(service: service, method: method, payload: request.encoded())
    }
}
