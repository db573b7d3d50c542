import Catalog
import Framing
import MarvelDomain
import NIOCore
import RPCCore
import WireMessages

/// The calls of a load. All servers get the same calls in the same order.
enum Workload: String, Codable, CaseIterable, Sendable {
    /// One page of ten characters, as a unary call.
    case page
    /// A hundred such pages, as a stream.
    case stream
    /// Ten names that complete a text.
    case suggest
    /// A picture of another character each time.
    case picture
    /// Toggles of ten characters, on each list in turn.
    case toggle
    /// `ListFavorites` of five.
    case favorites

    static let pagesPerStream = 100
    static let pageSize = 10
    /// The number of calls of a workload before it begins again.
    static let callCount = 2048
    /// More than one server gets in one measurement: none may be sent again.
    private static let toggleCount = 32_768
    /// The characters that toggles name: the first ones of every synthetic catalog.
    static let characters = SyntheticCharacters(count: 10)

    /// The calls that do not depend on the names of a catalog.
    ///
    /// - Parameter lists: The numbers of the lists that are toggled and read.
    /// - Returns: The calls; nil for those that `CatalogCalls` makes.
    func calls(lists: [Int]) -> [RequestEnvelope]? {
        switch self {
        case .page, .stream, .suggest: nil
        case .picture:
            (0..<Self.callCount).map { number in
                let id = SyntheticCharacters.firstID + Int64(number)
                return RequestEnvelope("GetThumbnail", GetThumbnailRequest(id: id, variant: "standard_large"))
            }
        case .toggle: Self.toggles(Self.toggleCount, lists: lists)
        case .favorites:
            lists.map { RequestEnvelope("ListFavorites", ListFavoritesRequest(list: Self.listName($0))) }
        }
    }

    /// Toggles of the lists in turn. After a round through all lists comes the next character.
    static func toggles(_ count: Int, lists: [Int]) -> [RequestEnvelope] {
        (0..<count).map { number in
            let list = listName(lists[number % lists.count])
            let toggle = ToggleFavoriteRequest(
                list: list,
                characterID: characters[number / lists.count % characters.count].id,
                requestID: "\(list)-\(number)"
            )
            return RequestEnvelope("ToggleFavorite", toggle)
        }
    }

    static func listName(_ number: Int) -> String { "load-\(number)" }

    /// A call for one page.
    static var pageCall: RequestEnvelope {
        RequestEnvelope(
            "SearchCharacters",
            SearchCharactersRequest(query: "co", pageSize: Int32(pageSize), maxPages: 1)
        )
    }

    /// The calls as Request frames, as the loads read them from a file.
    func frames(_ calls: [RequestEnvelope]) -> ByteBuffer {
        calls.reduce(into: ByteBuffer()) { frames, call in
            let flags: FrameFlags = self == .stream ? .remoteClosed : []
            frames.writeFrame(.request, on: StreamID(rawValue: 1), flags: flags, data: call.encoded())
        }
    }
}

extension RequestEnvelope {
    /// A call of a method of the service.
    init(_ method: String, _ request: some WireMessage) {
        self.init(service: "marvel.v1.MarvelService", method: method, payload: request.encoded())
    }
}
