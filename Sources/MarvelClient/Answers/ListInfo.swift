public import MarvelDomain
internal import RPCCore
internal import WireMessages

public struct ListInfo: Sendable, Hashable {
    public var name: ListName
    public var revision: Int64
    public var favoriteCount: Int
}

/// A page of the lists of a server.
public struct ListsPage: Sendable, Hashable {
    /// The lists, ordered by name.
    public var lists: [ListInfo]
    /// The token of the next page; empty on the last page.
    public var nextPageToken: String

    public init(lists: [ListInfo], nextPageToken: String = "") {
        self.lists = lists
        self.nextPageToken = nextPageToken
    }
}

extension ListsPage {
    init(_ response: ListListsResponse) throws(RPCError) {
        var lists: [ListInfo] = []
        for list in response.lists {
            guard !list.name.isEmpty, let name = ListName(list.name) else {
                throw .responseInvalid("the server's answer has an invalid list name")
            }
            lists.append(ListInfo(name: name, revision: list.revision, favoriteCount: Int(list.favoriteCount)))
        }
        self.init(lists: lists, nextPageToken: response.nextPageToken)
    }
}

extension ListDeletion {
    init(_ response: DeleteListResponse) {
        self.init(
            revision: response.revision,
            existed: response.existed,
            place: response.place.isEmpty ? nil : FavoritesPlace(response.place)
        )
    }
}
