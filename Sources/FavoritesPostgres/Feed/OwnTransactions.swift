/// The number of a transaction of a cluster, with its epoch.
struct TransactionID: Equatable {
    let value: Int64
}

/// The committed transactions of this replica's writer whose changes are published: the next poll of the feed leaves them out.
///
/// A poll with a position returns each transaction once. So an id is needed for one poll, and it may be dropped at any time:
/// then the poll returns changes that are known. An id counts in its cluster alone, because others use the same numbers.
struct OwnTransactions {
    /// While the feed has no connection, nobody takes the ids.
    private static let maximumCount = 10_000

    private var cluster: ServedCluster?
    private var ids: [TransactionID] = []

    mutating func add(_ id: TransactionID, on cluster: ServedCluster?) {
        if cluster != self.cluster || ids.count == Self.maximumCount { ids = [] }
        self.cluster = cluster
        ids.append(id)
    }

    /// Removes and returns the transactions, except those of another cluster.
    mutating func take(on cluster: ServedCluster?) -> [TransactionID] {
        defer { ids = [] }
        return cluster != nil && cluster == self.cluster ? ids : []
    }
}
