/// A position in the results of a search at which a page begins.
package struct PagePlace: Sendable, Hashable {
    /// The number of results before the place at the time when it was noted.
    package var offset: Int
    /// The id of the result before the place, by which the place is found in a catalog that has changed; 0 if not
    /// known.
    package var lastID: Int64
    /// The number of results to skip from there.
    package var skip: Int

    package init(offset: Int = 0, lastID: Int64 = 0, skip: Int = 0) {
        self.offset = offset
        self.lastID = lastID
        self.skip = skip
    }
}
