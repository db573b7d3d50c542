internal import WireMessages

/// Names that complete what a person is typing.
public struct NameSuggestions: Sendable, Hashable {
    /// The names, best first, without duplicates.
    public var names: [String]
    /// The line that must be shown with the data.
    public var attribution: String

    /// Makes suggestions.
    public init(names: [String], attribution: String = "") {
        self.names = names
        self.attribution = attribution
    }
}

extension NameSuggestions {
    init(_ response: SuggestNamesResponse) {
        self.init(names: response.names, attribution: response.attribution)
    }
}
