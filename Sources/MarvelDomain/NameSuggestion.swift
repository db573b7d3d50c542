/// A name that is suggested for what a person is typing.
public struct NameSuggestion: Sendable, Hashable {
    /// The name as the catalog has it.
    public var name: String
    /// The match of the name with the typed text; nil if the server does not send it, as older servers do not.
    ///
    /// `.prefix` and `.wordPrefix` complete what was typed. With `.fuzzy` the name is only like it: a correction.
    public var match: Match?

    /// Makes a suggestion.
    public init(_ name: String, match: Match?) {
        self.name = name
        self.match = match
    }
}
