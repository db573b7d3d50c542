/// The clusters on which a running server has seen its store.
struct ClusterRecord {
    /// The cluster on which the lists were last compared with what was published; nil if they have to be compared again.
    private var compared: ServedCluster?
    private var isComparing = false
    /// The highest timeline of each cluster that has served, by the cluster's identifier.
    private var timelines: [Int64: Int64]

    init(compared: ServedCluster) {
        self.compared = compared
        timelines = [compared.systemID: compared.timeline]
    }

    /// Returns whether a server of the same cluster has served on a later timeline: it has taken this one's place.
    func hasReplaced(_ cluster: ServedCluster) -> Bool { cluster.timeline < timelines[cluster.systemID] ?? 0 }

    /// Notes that a cluster serves the store.
    mutating func served(by cluster: ServedCluster) {
        timelines[cluster.systemID] = max(cluster.timeline, timelines[cluster.systemID] ?? 0)
    }

    /// The part of a new connection in the comparison of the lists.
    enum Turn: Equatable {
        /// Nothing: they were compared on this cluster.
        case none
        /// It compares them, and then calls `ended`.
        case compare
        /// It waits for another connection of the server, which compares them now.
        case wait
    }

    /// Returns the turn of a connection to a cluster. A comparison reads all lists, so one connection makes it for all.
    mutating func turn(on cluster: ServedCluster) -> Turn {
        if cluster == compared { return .none }
        if isComparing { return .wait }
        isComparing = true
        return .compare
    }

    /// Notes that the comparison which began is over.
    ///
    /// - Parameter cluster: The cluster on which the lists were compared; nil if it failed.
    mutating func ended(on cluster: ServedCluster?) {
        isComparing = false
        if let cluster { compared = cluster }
    }

    /// Notes that the database may have been put back to an older state.
    mutating func forget() { compared = nil }

    /// Notes that all lists were read on a cluster for another reason.
    mutating func read(on cluster: ServedCluster) { compared = cluster }
}
