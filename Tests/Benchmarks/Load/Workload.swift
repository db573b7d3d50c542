import ArgumentParser
import Catalog
import Load
import MarvelDomain
import NIOCore
import WireMessages

/// The calls of a load.
enum Workload: String, Codable, CaseIterable, ExpressibleByArgument, Sendable {
    /// One page of ten characters, as a unary call: of another query each time.
    case page
    /// A hundred such pages, as a stream.
    case stream
    /// Toggles on as many lists as there are connections, in turn.
    case toggle
    /// `ListFavorites` of five.
    case favorites

    static let pagesPerStream = 100
    static let pageSize = 10
    /// Two letters each, so that every query finds thousands of the synthetic catalog's names: a stream of a hundred pages
    /// has them.
    static let queries = Set(SyntheticCharacters(count: 200).map { String($0.name.prefix(2)).lowercased() }).sorted()
    /// The characters that the calls name: the first ones of every synthetic catalog.
    static let characters = SyntheticCharacters(count: 10)

    var operation: LoadOperation {
        switch self {
        case .page: .pages
        case .stream: .stream
        case .toggle: .toggle
        case .favorites: .favorites
        }
    }

    /// The call for one page.
    static var pageCall: RequestEnvelope {
        RequestEnvelope(
            service: "marvel.v1.MarvelService",
            method: "SearchCharacters",
            payload: SearchCharactersRequest(query: queries[0], pageSize: Int32(pageSize), maxPages: 1).encoded()
        )
    }
}
