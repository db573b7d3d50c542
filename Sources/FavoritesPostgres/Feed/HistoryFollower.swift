internal import MarvelDomain
internal import Synchronization

/// The connections of an open store, each of which continues in the history that the database has.
///
/// A history ends when changes that were answered are missing: because a standby took over that did not have them, or a
/// backup was restored. Whoever notices first begins the new one in the database, and the others find it there: when they
/// connect, by a poll, or because a statement that names the history before is refused.
final class HistoryFollower: Sendable {
    /// The number of attempts to begin a history above all that this server knows. Others may begin one at the same time.
    private static let maximumAttempts = 5

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

    /// Makes a connection to the store.
    ///
    /// - Parameters:
    ///   - name: The name under which the server's administrator sees the connection.
    ///   - loss: The reason that the connection before was closed.
    /// - Returns: The connection.
    /// - Throws: `.notConnected`, or `.replaced` if there is only a primary that another one has replaced.
    func connect(_ name: String, after loss: DatabaseFault?) throws(DatabaseFault) -> PostgresConnection {
        if loss?.kind == .behind { clusters.withLock { $0.forget() } }
        let (connection, facts) = try PostgresConnection.toPrimary(address, name: name) {
            connection throws(DatabaseFault) in
            let record = clusters.withLock { $0 }
            return try ClusterChange.verifiedFacts(connection, floor: publisher.highestRevision, after: record)
        }
        clusters.withLock { $0.served(by: facts.served) }
        status.noted(isSynchronous: facts.isSynchronous)
        if facts.history != publisher.history {
            try follow(connection)
            clusters.withLock { $0.read(on: facts.served) }
        } else {
            try compareOnce(connection, on: facts.served)
        }
        return connection
    }

    /// Continues in the history of the database.
    func follow(_ connection: PostgresConnection) throws(DatabaseFault) {
        for _ in 0..<Self.maximumAttempts {
            let stored = try connection.readMarks().marks
            if publisher.renew(stored) {
                status.renewed(stored.history)
                return
            }
            // It began on a server that knew less than this one: its revisions would come again.
            try connection.renewHistory(stored.history, floor: publisher.highestRevision)
        }
        throw .otherHistory
    }

    /// Compares all lists with the published ones, unless that was done on this cluster. After a failover this comes before the
    /// first write: an asynchronous standby may have lost commits.
    ///
    /// - Throws: `.notConnected` while another connection of this server does it. Nothing waits for that in a lock: it may
    ///   take long.
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

    /// Compares all lists with what was published, each by its name, and continues in a new history if changes were lost.
    private func compare(_ connection: PostgresConnection) throws(DatabaseFault) {
        let published = publisher.published
        let stored = try connection.readMarks().marks
        if try connection.hasLostChanges(published, published.difference(to: stored)) { try renew(connection) }
    }

    /// Begins a new history because changes were lost, and continues in it.
    func renew(_ connection: PostgresConnection) throws(DatabaseFault) {
        try connection.renewHistory(publisher.history, floor: publisher.highestRevision)
        try follow(connection)
    }
}

extension PostgresConnection {
    /// Reads the sums of the revisions and digests of all names.
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
            // A damaged name may be none: nobody can ask for it.
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

    /// Looks for changes that were published and are not in the database, or others in their place.
    ///
    /// - Parameters:
    ///   - published: What was published before the database was read.
    ///   - difference: Its difference to the database.
    /// - Returns: Whether there are any.
    /// - Throws: `DatabaseFault`.
    func hasLostChanges(
        _ published: ListMarks,
        _ difference: ListMarks.Difference
    ) throws(DatabaseFault) -> Bool {
        if difference.hasLostChanges { return true }
        let known = difference.changed.keys.compactMap { list in published[list].map { (list, $0) } }
        guard !known.isEmpty else { return false }
        var parameters = Parameters()
        parameters.add(known.map(\.0.text))
        parameters.add(known.map(\.1.revision))
        parameters.add(known.map(\.1.digest))
        return try run(.hasOtherChanges, parameters).boolean(0, 0)
    }
}
