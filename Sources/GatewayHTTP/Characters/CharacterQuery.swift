package import MarvelDomain

/// What a request asks of the list of characters (MARVEL_API section 3).
package struct CharacterQuery: Sendable, Hashable {
    package static let defaultLimit = 20
    package static let maximumLimit = 100

    /// The whole name, letter case and accents ignored.
    package var name: String?
    /// The beginning of the name, letter case and accents ignored.
    package var nameStartsWith: String?
    /// Characters changed at this time or later.
    package var modifiedSince: Timestamp?
    /// For each relation that is asked for, the ids of which a character has to have one.
    package var relations: [Relation: [Int64]] = [:]
    package var order = CharacterOrder()
    /// 1 to 100.
    package var limit = CharacterQuery.defaultLimit
    /// 0 or more.
    package var offset = 0

    package init() {}
}

/// What a character can appear in.
package enum Relation: String, Sendable, Hashable, CaseIterable {
    case comics
    case series
    case events
    case stories
}
