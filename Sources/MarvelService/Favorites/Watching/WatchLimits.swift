/// The numbers of watches that may be open at once. Callers share them fairly (`WatchShares`).
package struct WatchLimits: Sendable, Hashable {
    /// The watches of all lists.
    package var maximumWatches = 65_536
    /// The watches of one list: each of its changes is sent to all of them.
    package var maximumWatchesPerList = 16_384

    package init() {}
}
