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

    package init(names: [String], attribution: String = "") {
        self.names = names
        self.attribution = attribution
    }
}
