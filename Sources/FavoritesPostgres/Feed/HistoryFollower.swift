internal import MarvelDomain
internal import Synchronization

/// The maker of a store's connections, each of which continues in the history of the database.
///
/// A history ends when answered changes are missing, because a standby without them was promoted, or a backup was restored. The
/// replica that notices first begins a new one. The others find it when they connect, poll, or send a group.
final class HistoryFollower: Sendable {
    /// Other servers may begin histories at the same time.
    private static let maximumAttempts = 5
    /// The maximum number of lists whose rows are verified at once.
    private static let maximumVerified = 1_000

    private let address: DatabaseAddress
    private let publisher: FeedPublisher
    private let status: StoreStatus
    private let clusters: Mutex<ClusterRecord>

    init(_ address: DatabaseAddress, _ publisher: FeedPublisher, _ status: StoreStatus, on cluster: ServedCluster) {
        self.address = address
        self.publisher = publisher
        self.status = status
        clusters = Mutex(ClusterRecord(compared: cluster))
    }

    /// Makes a connection after the fault that closed the one before.
    func connect(_ name: String, after loss: DatabaseFault?) throws(DatabaseFault) -> PostgresConnection {
        if loss?.kind == .behind { clusters.withLock { $0.forget() } }
        let (connection, facts) = try PostgresConnection.toPrimary(address, name: name) {
            connection throws(DatabaseFault) in
            let record = clusters.withLock { $0 }
            return try ClusterChange.verifiedFacts(connection, floor: publisher.highestRevision, after: record)
        }
        clusters.withLock { $0.served(by: facts.served) }
        connection.cluster = facts.served
        status.noted(isSynchronous: facts.isSynchronous)
        if facts.history != publisher.history {
            try follow(connection)
            clusters.withLock { $0.read(on: facts.served) }
        } else {
            try compareOnce(connection, on: facts.served)
        }
        return connection
    }

    func follow(_ connection: PostgresConnection) throws(DatabaseFault) {
        for _ in 0..<Self.maximumAttempts {
            let stored = try connection.readMarks().marks
            if publisher.renew(stored) {
                status.renewed(stored.history)
                return
            }
            // A server that knew lower revisions began it.
            try connection.renewHistory(stored.history, floor: publisher.highestRevision)
        }
        throw .otherHistory
    }

    /// Compares all lists with the published ones, once on each cluster: after a failover an asynchronous standby may lack commits.
    /// It throws `.notConnected` while another connection of this server compares, which may take long.
    private func compareOnce(_ connection: PostgresConnection, on cluster: ServedCluster) throws(DatabaseFault) {
        switch clusters.withLock({ $0.turn(on: cluster) }) {
        case .none: return
        case .wait:
            throw DatabaseFault(kind: .notConnected, message: "another connection compares the lists first")
        case .compare:
            do {
                try compare(connection)
                clusters.withLock { $0.ended(on: cluster) }
            } catch {
                clusters.withLock { $0.ended(on: nil) }
                throw error
            }
        }
    }

    private func compare(_ connection: PostgresConnection) throws(DatabaseFault) {
        let published = publisher.published
        let stored = try connection.readMarks().marks
        var difference = published.difference(to: stored)
        try removeDamage(from: &difference, connection)
        if try hasLostChanges(connection, published, difference) { try renew(connection) }
    }

    /// Returns whether published changes are missing in the database, or others are in their place.
    func hasLostChanges(
        _ connection: PostgresConnection,
        _ published: ListMarks,
        _ difference: ListMarks.Difference
    ) throws(DatabaseFault) -> Bool {
        if difference.hasLostChanges { return true }
        let known = difference.changed.keys.compactMap { list in published[list].map { (list, $0) } }
        guard !known.isEmpty else { return false }
        return try connection.run(
            .hasOtherChanges,
            known.map(\.0),
            known.map(\.1.revision),
            known.map(\.1.digest)
        ).boolean(0, 0)
    }

    /// Removes the lists whose rows are damaged from a difference, and reports and returns them. If very many lists may be damaged,
    /// none is verified.
    @discardableResult
    func removeDamage(
        from difference: inout ListMarks.Difference,
        _ connection: PostgresConnection
    ) throws(DatabaseFault) -> Set<ListName> {
        var damaged: Set<ListName> = []
        for lists in [difference.suspects, Set(difference.changed.keys)] where lists.count <= Self.maximumVerified {
            damaged.formUnion(try connection.damagedLists(among: lists))
        }
        for list in damaged { status.report("a comparison", .damagedRow(of: list)) }
        difference.forget(damaged)
        return damaged
    }

    func renew(_ connection: PostgresConnection) throws(DatabaseFault) {
        try connection.renewHistory(publisher.history, floor: publisher.highestRevision)
        try follow(connection)
    }
}

extension PostgresConnection {
    /// Returns the lists whose rows do not match their checksums, or cannot be found by name or revision.
    func damagedLists(among lists: some Collection<ListName>) throws(DatabaseFault) -> Set<ListName> {
        guard !lists.isEmpty else { return [] }
        let rows = try run(.damagedLists, Array(lists))
        return Set(try (0..<rows.count).map { row throws(DatabaseFault) in try ListName(rows, row, 0) })
    }

    func markSums() throws(DatabaseFault) -> MarkSums {
        let rows = try run(.markSums)
        guard let revisions = Int128(try rows.text(0, 1)), let digests = Int128(try rows.text(0, 2)) else {
            throw .malformed("a sum that is not a number")
        }
        return MarkSums(count: try rows.integer(0, 0), revisions: revisions, digests: digests)
    }

    /// Reads the revisions of all names, with the position of a feed at that moment.
    func readMarks() throws(DatabaseFault) -> (position: FeedFollower.Position, marks: ListMarks) {
        try execute(Statement.beginSnapshot)
        let facts = try run(.position)
        guard facts.count == 1 else { throw .malformed("marvel.meta has \(facts.count) rows") }
        let rows = try run(.allLists)
        try execute(Statement.commit)
        var marks: [ListName: ListMarks.Mark] = [:]
        marks.reserveCapacity(rows.count)
        for row in 0..<rows.count {
            // Nobody can ask for a damaged name.
            guard let name = ListName(try rows.text(row, 0)) else { continue }
            marks[name] = ListMarks.Mark(
                revision: try rows.integer(row, 1),
                digest: try rows.integer(row, 2),
                exists: try rows.boolean(row, 3)
            )
        }
        let (history, base) = (HistoryID(try facts.integer(0, 1)), try facts.integer(0, 2))
        let position = FeedFollower.Position(
            snapshot: try facts.text(0, 0),
            base: base,
            meta: try facts.text(0, 3),
            capacity: Int(try facts.integer(0, 4))
        )
        return (position, ListMarks(marks, in: history, base: base))
    }
}

/// The clusters on which a running server has seen its store.
struct ClusterRecord {
    /// The cluster on which the lists were last compared; nil if they have to be compared again.
    private var compared: ServedCluster?
    private var isComparing = false
    /// The highest timeline of each cluster, by the cluster's identifier.
    private var timelines: [Int64: Int64]

    init(compared: ServedCluster) {
        self.compared = compared
        timelines = [compared.systemID: compared.timeline]
    }

    /// Returns whether a server of the same cluster has served on a later timeline.
    func hasReplaced(_ cluster: ServedCluster) -> Bool { cluster.timeline < timelines[cluster.systemID] ?? 0 }

    mutating func served(by cluster: ServedCluster) {
        timelines[cluster.systemID] = max(cluster.timeline, timelines[cluster.systemID] ?? 0)
    }

    enum Turn: Equatable {
        case none
        /// The connection compares them, and then calls `ended`.
        case compare
        /// Another connection of the server compares them now.
        case wait
    }

    /// A comparison reads all lists, so one connection makes it for all.
    mutating func turn(on cluster: ServedCluster) -> Turn {
        if cluster == compared { return .none }
        if isComparing { return .wait }
        isComparing = true
        return .compare
    }

    /// Notes the end of a comparison; `cluster` is nil if it failed.
    mutating func ended(on cluster: ServedCluster?) {
        isComparing = false
        if let cluster { compared = cluster }
    }

    /// Notes that the database may have been put back to an older state.
    mutating func forget() { compared = nil }

    mutating func read(on cluster: ServedCluster) { compared = cluster }
}
