/// Where in the results of a search a page begins.
package struct PagePlace: Sendable, Hashable {
    /// Results before the place, when it was noted.
    package var offset: Int
    /// The id of the last of them, by which the place is found in a catalog that was changed meanwhile; 0: not known.
    package var lastID: Int64
    /// How many results to pass over from there.
    package var skip: Int

    package init(offset: Int = 0, lastID: Int64 = 0, skip: Int = 0) {
        self.offset = offset
        self.lastID = lastID
        self.skip = skip
    }
}
