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
    var order = CharacterOrder()
    var limit = QueryParameters.defaultLimit
    var offset = 0
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
        if let text = parameters["orderBy"] { order = try CharacterOrder(text) }
        for kind in kinds { relations[kind] = try parameters.ids(of: kind) }
        modifiedSince = try parameters.modifiedSince()
    }
}
