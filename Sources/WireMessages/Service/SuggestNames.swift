/// The message `marvel.v1.SuggestNamesRequest`, unchecked: the service validates the values.
package struct SuggestNamesRequest: Sendable, Hashable {
    package var query: String
    /// The maximum number of names; 0 means the server's default.
    package var limit: Int32

    package init(query: String, limit: Int32 = 0) {
        self.query = query
        self.limit = limit
    }
}

/// The message `marvel.v1.SuggestNamesResponse`.
package struct SuggestNamesResponse: Sendable, Hashable {
    /// The names, best first.
    package var names: [String]
    package var attribution: String
    /// How each name matches, in the order of `names`; empty from a server that does not tell.
    package var matches: [MatchValue]

    package init(names: [String], attribution: String = "", matches: [MatchValue] = []) {
        self.names = names
        self.attribution = attribution
        self.matches = matches
    }
}
