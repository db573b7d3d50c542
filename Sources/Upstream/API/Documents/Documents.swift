package import MarvelDomain

/// A kind of resource of the API, with its word in paths and parameters.
package enum ResourceKind: String, Sendable, Hashable, CaseIterable {
    case characters, comics, creators, events, series, stories
}

/// A resource as other resources name it, by its URL.
package struct ResourceID: Sendable, Hashable {
    package var kind: ResourceKind
    /// The id, above 0.
    package var number: Int64

    package init(_ kind: ResourceKind, _ number: Int64) {
        self.kind = kind
        self.number = number
    }

    /// Reads the end of a `resourceURI`, such as `/comics/5`. Nil if it is not a resource of a known kind.
    package init?(uri: String) {
        let words = uri.split(separator: "/").suffix(2)
        guard words.count == 2, let kind = ResourceKind(rawValue: String(words[words.startIndex])),
            let number = words.last.flatMap({ Int64($0) }), number > 0
        else { return nil }
        self.init(kind, number)
    }
}

/// An item of a resource's list: a resource that it names.
package struct ResourceSummary: Sendable, Hashable {
    package var id: ResourceID
    package var name: String
    /// The type of a story, such as `cover`; empty for other kinds.
    package var type: String

    package init(id: ResourceID, name: String, type: String = "") {
        self.id = id
        self.name = name
        self.type = type
    }
}

/// The resources of one kind that a character is in.
package struct ResourceList: Sendable, Hashable {
    /// The maximum number of items in a list of the API.
    package static let maximumItems = 20

    /// The number of all resources, with those that are not in `items`.
    package var available: Int
    package var items: [ResourceSummary]

    package init(available: Int, items: [ResourceSummary]) {
        self.available = available
        self.items = items
    }
}

/// A query of saved documents of one kind.
package struct DocumentQuery: Sendable, Hashable {
    package enum Filter: Sendable, Hashable {
        case id(Int64)
        /// The document and one of these resources name each other.
        case linked(to: ResourceKind, [Int64])
        /// A field of the document has this text. Letter case is ignored.
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
    /// The conditions, which must all hold.
    package var filters: [Filter]
    /// The sort keys, the first one first. The id breaks all ties.
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

/// A page of saved documents.
package struct DocumentPage: Sendable, Hashable {
    /// The number of matches, on this page and on all others.
    package var total: Int
    /// The documents, each one JSON object.
    package var documents: [String]

    package init(total: Int, documents: [String]) {
        self.total = total
        self.documents = documents
    }
}

/// The comics, creators, events, series and stories that people saved, and the characters in them.
package protocol DocumentSource: Sendable {
    /// The line that must be shown with the data.
    var attribution: String { get }
    var documentCount: Int { get }

    func page(_ query: DocumentQuery) throws -> DocumentPage
    /// Whether there is such a document, or another resource names it.
    func contains(_ id: ResourceID) throws -> Bool
    /// Returns the ids of the characters that are in one of these resources.
    func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64>
    /// Returns the resources of a kind that a character is in.
    func list(of kind: ResourceKind, character: Int64) throws -> ResourceList
}
