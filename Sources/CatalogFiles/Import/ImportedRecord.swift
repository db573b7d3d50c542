internal import MarvelDomain

/// A character as one file has it.
struct ImportedRecord: Sendable, Hashable {
    /// Nil: `character.id` is the id, Marvel's or one that an earlier import gave.
    var source: ImportSource?
    /// Without a source its id is above 0. With one it is the number that the character has there.
    var character: MarvelCharacter
    /// What the character may be called elsewhere.
    var otherName: String?
    /// A description made up of facts, for want of one that somebody wrote.
    var facts = ""
}
