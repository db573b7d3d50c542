package import MarvelDomain

/// A request's query of the list of characters.
package struct CharacterQuery: Sendable, Hashable {
    package static let defaultLimit = 20
    package static let maximumLimit = 100

    /// The complete name; letter case and accents are ignored.
    package var name: String?
    /// The beginning of the name; letter case and accents are ignored.
    package var nameStartsWith: String?
    /// The time since which the characters were changed, inclusive.
    package var modifiedSince: Timestamp?
    /// The ids for each relation in the query. A character must have one of them.
    package var relations: [Relation: [Int64]] = [:]
    package var order = CharacterOrder()
    /// The maximum number of characters in a page, 1 to 100.
    package var limit = CharacterQuery.defaultLimit
    /// The number of characters to skip, 0 or more.
    package var offset = 0

    package init() {}
}

/// A kind of publication in which a character appears.
package enum Relation: String, Sendable, Hashable, CaseIterable {
    case comics
    case series
    case events
    case stories
}
