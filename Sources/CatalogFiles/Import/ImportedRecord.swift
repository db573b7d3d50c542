internal import MarvelDomain

/// The record of a character in one file.
struct ImportedRecord: Sendable, Hashable {
    /// The data set; nil if `character.id` is a final id, Marvel's or one that an earlier import gave.
    var source: ImportSource?
    /// The character. Its id is a final id above 0 if there is no source, and otherwise the number in the data set.
    var character: MarvelCharacter
    /// The name that the character may have in other data sets.
    var otherName: String?
    /// A description made from facts, for characters without a written description.
    var facts = ""
}
