internal import MarvelAPI
import MarvelDomain

/// A request's query of the list of characters.
struct CharacterQuery: Sendable, Hashable {
    static let defaultLimit = 20
    static let maximumLimit = 100

    /// The complete name; letter case and accents are ignored.
    var name: String?
    /// The beginning of the name; letter case and accents are ignored.
    var nameStartsWith: String?
    /// The time since which the characters were changed, inclusive.
    var modifiedSince: Timestamp?
    /// The ids for each relation in the query. A character must have one of them.
    var relations: [Relation: [Int64]] = [:]
    var order = CharacterOrder()
    /// The maximum number of characters in a page, 1 to 100.
    var limit = CharacterQuery.defaultLimit
    /// The number of characters to skip, 0 or more.
    var offset = 0

}

/// A kind of publication in which a character appears.
enum Relation: String, Sendable, Hashable, CaseIterable {
    case comics
    case series
    case events
    case stories
}

extension CharacterQuery {
    static let maximumIDs = 10

    /// Parameters of every endpoint: always accepted, and ignored here.
    private static let commonNames: Set<String> = ["apikey", "ts", "hash", "callback"]
    private static let names: Set<String> = [
        "name", "nameStartsWith", "modifiedSince", "comics", "series", "events", "stories", "orderBy", "limit",
        "offset",
    ]

    /// Reads a request's parameters as leniently as the original did.
    ///
    /// - Throws: The first error, checked in this order: unknown parameter, blank, limit, ordering, filters.
    init(_ parameters: QueryParameters) throws(ParameterError) {
        for parameter in parameters.all
        where !CharacterQuery.names.contains(parameter.name) && !CharacterQuery.commonNames.contains(parameter.name) {
            throw .unknown(parameter.name)
        }
        name = try CharacterQuery.text("name", parameters)
        nameStartsWith = try CharacterQuery.text("nameStartsWith", parameters)
        limit = try CharacterQuery.limit(parameters["limit"])
        offset = max(parameters["offset"]?.leadingInteger ?? 0, 0)
        if let text = parameters["orderBy"] { order = try CharacterOrder(text) }
        for relation in Relation.allCases {
            relations[relation] = try CharacterQuery.ids(relation, parameters.values(relation.rawValue))
        }
        if let text = parameters["modifiedSince"] {
            guard let date = MarvelDate.queryDate(text) else { throw .invalidDate }
            modifiedSince = date
        }
    }

    /// Returns a parameter's text. Blank is every value that PHP calls empty, `0` included, and white space alone.
    private static func text(_ name: String, _ parameters: QueryParameters) throws(ParameterError) -> String? {
        guard let text = parameters[name] else { return nil }
        guard text != "0", !text.allSatisfy(\.isWhitespace) else { throw .blank(name) }
        return text
    }

    private static func limit(_ text: String?) throws(ParameterError) -> Int {
        guard let text else { return defaultLimit }
        let limit = text.leadingInteger ?? 0
        guard limit >= 1 else { throw .limitNotPositive }
        guard limit <= maximumLimit else { throw .limitTooLarge }
        return limit
    }

    /// Returns a filter's ids; nil if there is no such filter. Invalid ids are ignored if at least one id is valid.
    private static func ids(_ relation: Relation, _ values: [String]) throws(ParameterError) -> [Int64]? {
        guard !values.isEmpty else { return nil }
        let ids = values.flatMap { $0.split(separator: ",") }.compactMap(\.leadingInteger).filter { $0 > 0 }
        guard !ids.isEmpty else { throw .noValidID(relation) }
        guard ids.count <= maximumIDs else { throw .tooManyIDs(relation) }
        return ids.map(Int64.init)
    }
}
