internal import MarvelDomain

/// The follower of other replicas' changes, on a connection of its own.
///
/// Its position is a snapshot: a poll returns exactly what became visible since. "The transactions above the last one" would
/// miss those that were committed later and began earlier. A notification only says that a poll is worthwhile: it may be
/// lost. A position dies with its connection, because a server that crashed gives transaction ids again; then all lists
/// are compared.
final class FeedFollower: Sendable {
    /// The maximum time between two polls.
    static let pollInterval = Duration.milliseconds(250)
    /// The minimum time between the beginnings of two polls. Without it, replicas that change lists all the time would make
    /// all others poll all the time, and each poll takes 0.1 ms of the database's CPU.
    private static let minimumPollDistance = Duration.milliseconds(3)
    /// The maximum number of lists whose changes are read after a lost connection. With more, all lists are read again.
    private static let maximumLists = 1_000

    /// The state of the database at a poll.
    struct Position: Equatable {
        /// The transactions that were visible.
        var snapshot: String
        var base: Int64
        /// The version of the row of `meta`.
        var meta: String
    }

    let thread: DatabaseThread
    private let publisher: FeedPublisher
    private let history: HistoryFollower
    private let status: StoreStatus
    /// The process of the database that serves this replica's writer, whose notifications say nothing new.
    private let ownBackend: @Sendable () -> Int32

    init(
        _ publisher: FeedPublisher,
        _ history: HistoryFollower,
        _ status: StoreStatus,
        ownBackend: @escaping @Sendable () -> Int32
    ) throws(FavoritesDatabaseError) {
        self.publisher = publisher
        self.history = history
        self.status = status
        self.ownBackend = ownBackend
        thread = try DatabaseThread()
    }

    /// Follows until the store is closed.
    func work(_ link: DatabaseLink) {
        var position: Position?
        while !thread.shouldStop {
            do throws(DatabaseFault) {
                let connection = try link.connection()
                let moment = ContinuousClock.now
                if let known = position {
                    position = try poll(connection, since: known)
                } else {
                    position = try catchUp(connection)
                }
                status.connected(.feed)
                status.polled(at: moment)
                if position != nil { try rest(connection, after: moment) }
            } catch {
                position = nil
                if link.current != nil { link.failed(error) }
                status.failed(.feed, error)
                link.waitForAttempt()
            }
        }
    }

    /// Waits for a notification of another replica, or for the time of the next poll.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - lastPoll: The time at which the last poll began.
    /// - Throws: `.connectionLost`.
    private func rest(
        _ connection: PostgresConnection,
        after lastPoll: ContinuousClock.Instant
    ) throws(DatabaseFault) {
        let end = ContinuousClock.now + Self.pollInterval
        while !thread.shouldStop {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return }
            try connection.wait(or: thread.wakeup, timeout: rest)
            guard connection.takeNotifications(otherThan: ownBackend()) else { continue }
            let pause = ContinuousClock.now.duration(to: lastPoll + Self.minimumPollDistance)
            if pause > .zero { _ = thread.wakeup.wait(timeout: pause) }
            return
        }
    }

    /// Publishes what became visible since a position.
    ///
    /// - Returns: The next position; nil if there was so much that lists have to be compared, or a new history.
    private func poll(_ connection: PostgresConnection, since position: Position) throws(DatabaseFault) -> Position? {
        var parameters = Parameters()
        parameters.add(position.snapshot)
        parameters.add(Int64(PostgresConnection.maximumChanges))
        let rows = try connection.run(.poll, parameters)
        guard rows.count > 0 else { throw .malformed("a poll returned no row") }
        let current = HistoryID(try rows.integer(0, 5))
        guard current == publisher.history else {
            try history.follow(connection)
            return nil
        }
        let next = Position(snapshot: try rows.text(0, 0), base: try rows.integer(0, 7), meta: try rows.text(0, 8))
        // A row that was written again without a higher base may be that of an older state of the database, such as a dump: all
        // lists are compared. Replicas write one when replication changes, which is rare.
        let isPutBack = next.meta != position.meta && next.base <= position.base
        let isSynchronous = try rows.boolean(0, 6)
        if isSynchronous != status.isSynchronous {
            // Whoever connects to a promoted standby reads there whether commits waited for it until then.
            try connection.adoptCluster()
            status.noted(isSynchronous: isSynchronous)
        }
        var changes: [LoggedChange] = []
        for row in 0..<rows.count where !rows.isNull(row, 1) {
            let list = try ListName(rows, row, 1)
            // Most are this replica's own, and published: they need not be read.
            guard publisher.relation(of: list, at: try rows.integer(row, 2)) != .known else { continue }
            changes.append(try LoggedChange(rows, row, from: 1))
        }
        publisher.publish(changes, in: current)
        return rows.count < PostgresConnection.maximumChanges && !isPutBack ? next : nil
    }

    /// Compares all lists with what was published, and publishes what is missing.
    ///
    /// - Returns: The position from which polls go on; nil if a new history has begun.
    private func catchUp(_ connection: PostgresConnection) throws(DatabaseFault) -> Position? {
        try connection.execute(Statement.listen)
        // Before the database is read: what this replica itself publishes meanwhile is no difference.
        let published = publisher.published
        let (position, stored) = try connection.readMarks()
        guard stored.history == published.history else {
            try history.follow(connection)
            return nil
        }
        let difference = published.difference(to: stored)
        guard try !connection.hasLostChanges(published, difference) else {
            try history.renew(connection)
            return nil
        }
        guard !difference.changed.isEmpty else { return position }
        guard difference.changed.count <= Self.maximumLists,
            let missing = try connection.changes(after: difference.changed, in: stored.history)
        else {
            publisher.lost(stored)
            return position
        }
        publisher.publish(missing, in: stored.history)
        // Changes that are not kept any more: only the revisions are known.
        publisher.reached(stored.marks.filter { difference.changed[$0.key] != nil }, in: stored.history)
        return position
    }
}
