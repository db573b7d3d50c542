import MarvelDomain
internal import Upstream

struct CharacterQuery: Sendable, Hashable {
    var name: String?
    var nameStartsWith: String?
    var modifiedSince: Timestamp?
    /// The ids for each relation in the query. A character must have one of them.
    var relations: [ResourceKind: [Int64]] = [:]
    /// The resource in whose path the list is.
    var parent: ResourceID?
    /// The sort keys, most significant first. The name and the id break ties.
    var order: [DocumentQuery.Order] = []
    var limit = QueryParameters.defaultLimit
    var offset = 0

    /// Whether the order is the one in which a catalog keeps its characters.
    var isByName: Bool { order.isEmpty || order == [DocumentQuery.Order(field: "name", isDescending: false)] }
}

extension CharacterQuery {
    /// Reads a request's parameters as leniently as the original did.
    ///
    /// - Throws: The first error, checked in this order: unknown parameter, blank, limit, ordering, filters.
    init(_ parameters: QueryParameters) throws(ParameterError) {
        let kinds = ResourceKind.characters.filters
        try parameters.checkNames(["name", "nameStartsWith"], kinds)
        name = try parameters.text("name")
        nameStartsWith = try parameters.text("nameStartsWith")
        limit = try parameters.limit()
        offset = parameters.offset
        order = try parameters.order(of: .characters) ?? []
        for kind in kinds { relations[kind] = try parameters.ids(of: kind) }
        modifiedSince = try parameters.modifiedSince()
    }
}

/// An error in a request's parameters. Only the first error found is reported.
enum ParameterError: Error, Sendable, Hashable {
    case unknown(String)
    case blank(String)
    case limitTooLarge
    case limitNotPositive
    case unknownOrdering(String)
    case tooManyIDs(ResourceKind)
    case noValidID(ResourceKind)
    case invalidDate

    /// The error's text: exactly the original's, or our own choice where no response of the original was recorded.
    var status: String {
        switch self {
        case .unknown(let name): "We don't recognize the parameter \(name)"
        case .blank(let name): "\(name) cannot be blank if it is set"
        case .limitTooLarge: "You may not request more than 100 items."
        case .limitNotPositive: "You must pass an integer limit greater than 0."
        case .unknownOrdering(let word): "\(word) is not a valid ordering parameter."
        case .tooManyIDs(let kind): "You may not submit more than 10 \(kind.singular) ids."
        // The original left out "id" for series, and for series alone.
        case .noValidID(.series): "You must pass at least one valid series if you set the series filter."
        case .noValidID(let kind):
            "You must pass at least one valid \(kind.singular) id if you set the \(kind.singular) filter."
        case .invalidDate: "You must pass a valid date for modifiedSince"
        }
    }
}

extension ResourceKind {
    /// The original's word for one of them in errors of filters; comics are called issues.
    fileprivate var singular: String {
        switch self {
        case .comics: "issue"
        default: oneOfThem
        }
    }

    /// The original's word for one of them in the error of an unknown id.
    var oneOfThem: String {
        switch self {
        case .characters: "character"
        case .comics: "comic_issue"
        case .creators: "creator"
        case .events: "event"
        case .series: "series"
        case .stories: "story"
        }
    }
}
