import MarvelDomain
internal import Upstream

struct CharacterQuery: Sendable, Hashable {
    var name: String?
    var nameStartsWith: String?
    var modifiedSince: Timestamp?
    /// A character must have one of the ids of each relation.
    var relations: [ResourceKind: [Int64]] = [:]
    var parent: ResourceID?
    /// Most significant first. The name and the id break ties.
    var order: [DocumentQuery.Order] = []
    var limit = QueryParameters.defaultLimit
    var offset = 0

    var isByName: Bool { order.isEmpty || order == [DocumentQuery.Order(field: "name", isDescending: false)] }
}

extension CharacterQuery {
    /// As lenient as the original. Errors in this order: unknown parameter, blank, limit, ordering, filters.
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

/// Only the first error found is reported.
enum ParameterError: Error, Sendable, Hashable {
    case unknown(String)
    case blank(String)
    case limitTooLarge
    case limitNotPositive
    case unknownOrdering(String)
    case tooManyIDs(ResourceKind)
    case noValidID(ResourceKind)
    case invalidDate

    /// The original's, or our own choice where no response of the original was recorded.
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
    /// Comics are called issues in errors of filters.
    fileprivate var singular: String {
        switch self {
        case .comics: "issue"
        default: oneOfThem
        }
    }

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
