package import MarvelDomain

package enum ResourceKind: String, Sendable, Hashable, CaseIterable {
    case characters, comics, creators, events, series, stories
}

package struct ResourceID: Sendable, Hashable {
    package var kind: ResourceKind
    package var number: Int64

    package init(_ kind: ResourceKind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    package init?(uri: String) {
        let words = uri.split(separator: "/").suffix(2)
        guard words.count == 2, let kind = ResourceKind(rawValue: String(words[words.startIndex])),
            let number = words.last.flatMap({ Int64($0) }), number > 0
        else { return nil }
        self.init(kind, number)
    }
}

package struct ResourceSummary: Sendable, Hashable {
    package var id: ResourceID
    package var name: String
    /// A type such as `cover`; empty for other kinds.
    package var type: String

    package init(id: ResourceID, name: String, type: String = "") {
        self.id = id
        self.name = name
        self.type = type
    }
}

package struct ResourceList: Sendable, Hashable {
    package static let maximumItems = 20

    /// Includes resources that are missing from `items`.
    package var available: Int
    package var items: [ResourceSummary]

    package init(available: Int, items: [ResourceSummary]) {
        self.available = available
        self.items = items
    }
}

package struct DocumentQuery: Sendable, Hashable {
    package enum Filter: Sendable, Hashable {
        case id(Int64)
        case linked(to: ResourceKind, [Int64])
        /// Letter case is ignored.
        case equals(field: String, String)
        case startsWith(field: String, String)
        case modifiedSince(Timestamp)
    }

    package struct Order: Sendable, Hashable {
        package var field: String
        package var isDescending: Bool

        package init(field: String, isDescending: Bool) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    package var kind: ResourceKind
    package var filters: [Filter]
    /// Most significant first. The id breaks ties.
    package var order: [Order]
    package var limit: Int
    package var offset: Int

    package init(kind: ResourceKind, filters: [Filter], order: [Order] = [], limit: Int = 20, offset: Int = 0) {
        self.kind = kind
        self.filters = filters
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

/// Each document is one JSON object.
package struct DocumentPage: Sendable, Hashable {
    /// The number of matches over all pages.
    package var total: Int
    package var documents: [String]

    package init(total: Int, documents: [String]) {
        self.total = total
        self.documents = documents
    }
}

package protocol DocumentSource: Sendable {
    var attribution: String { get }
    var documentCount: Int { get }

    func page(_ query: DocumentQuery) throws -> DocumentPage
    /// Whether the document exists, or another resource names it.
    func contains(_ id: ResourceID) throws -> Bool
    func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64>
    func list(of kind: ResourceKind, character: Int64) throws -> ResourceList
}
