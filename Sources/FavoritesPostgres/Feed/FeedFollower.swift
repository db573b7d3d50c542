internal import MarvelDomain

/// The follower of other replicas' changes, on a connection of its own.
///
/// Its position is a snapshot: a poll returns exactly what became visible since. "The transactions above the last one" would
/// miss those that were committed later and began earlier. A notification only says that a poll is worthwhile: it may be
/// lost. A server that crashed gives transaction ids again, and a position on it may hide changes. So after a new connection
/// the sums over all lists have to be those of what was published; otherwise all lists are compared.
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
        /// The number of favorites that a list may hold.
        var capacity: Int
    }

    let thread: DatabaseThread
    private let publisher: FeedPublisher
    private let history: HistoryFollower
    private let status: StoreStatus
    /// The process of the database that serves this replica's writer, whose notifications say nothing new.
    private let ownBackend: @Sendable () -> Int32
    /// The position when the store was opened.
    private let start: Position

    init(
        _ publisher: FeedPublisher,
        _ history: HistoryFollower,
        _ status: StoreStatus,
        from start: Position,
        ownBackend: @escaping @Sendable () -> Int32
    ) throws(FavoritesDatabaseError) {
        self.start = start
        self.publisher = publisher
        self.history = history
        self.status = status
        self.ownBackend = ownBackend
        thread = try DatabaseThread()
    }

    /// Follows until the store is closed.
    func work(_ link: DatabaseLink) {
        // Nil if all lists have to be compared.
        var position: Position? = start
        var isCaughtUp = false
        while !thread.shouldStop {
            do throws(DatabaseFault) {
                let connection = try link.connection()
                let moment = ContinuousClock.now
                if isCaughtUp, let known = position {
                    position = try poll(connection, since: known)
                } else {
                    position = try catchUp(connection, since: position)
                }
                isCaughtUp = position != nil
                // An operator changes it for all servers.
                if let capacity = position?.capacity { publisher.noted(capacity: capacity) }
                status.connected(.feed)
                status.polled(at: moment)
                if isCaughtUp { try rest(connection, after: moment) }
            } catch {
                isCaughtUp = false
                // A row that cannot be read would be found again from there.
                if error.consequence != .reconnect { position = nil }
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
        let rows = try connection.poll(since: position)
        let current = HistoryID(try rows.integer(0, 5))
        guard current == publisher.history else {
            try history.follow(connection)
            return nil
        }
        let next = try Position(poll: rows)
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
            guard try !publisher.isKnown(list, at: rows.integer(row, 2)) else { continue }
            changes.append(try LoggedChange(rows, row, from: 1))
        }
        publisher.publish(changes, in: current)
        return rows.count < PostgresConnection.maximumChanges && !isPutBack ? next : nil
    }

    /// Publishes what is missing on a new connection.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - last: The last position on the connection before; nil if all lists have to be compared.
    /// - Returns: The position from which polls continue; nil if a new history has begun.
    /// - Throws: `DatabaseFault`.
    private func catchUp(
        _ connection: PostgresConnection,
        since last: Position?
    ) throws(DatabaseFault) -> Position? {
        try connection.execute(Statement.listen)
        // Before the database is read: what this replica itself publishes meanwhile is no difference.
        let published = publisher.published
        if let last, let next = try catchUp(connection, since: last, published) { return next }
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
        publisher.forget(difference.dropped, in: stored.history)
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

    /// Publishes the changes since the last position of an earlier connection, if they are all that is missing.
    ///
    /// - Returns: The position from which polls continue; nil if all lists have to be compared.
    /// - Throws: `DatabaseFault`.
    private func catchUp(
        _ connection: PostgresConnection,
        since last: Position,
        _ published: ListMarks
    ) throws(DatabaseFault) -> Position? {
        try connection.execute(Statement.beginSnapshot)
        let rows = try connection.poll(since: last)
        let stored = try connection.markSums()
        try connection.execute(Statement.commit)
        let history = HistoryID(try rows.integer(0, 5))
        let next = try Position(poll: rows)
        guard history == published.history, next.base >= published.base,
            rows.count < PostgresConnection.maximumChanges
        else { return nil }
        var sums = published.sums
        var marks: [ListName: ListMarks.Mark] = [:]
        var changes: [LoggedChange] = []
        for row in 0..<rows.count where !rows.isNull(row, 1) {
            let list = try ListName(rows, row, 1)
            let revision = try rows.integer(row, 2)
            let former = marks[list] ?? published[list]
            guard revision > former?.revision ?? published.base else { continue }
            let change = try LoggedChange(rows, row, from: 1)
            // Other changes may be in the place of those that were published.
            guard former.map({ $0.revision + 1 == revision }) ?? true, change.isWhole(after: former?.digest ?? 0) else {
                return nil
            }
            changes.append(change)
            let mark = ListMarks.Mark(revision: revision, digest: change.news.digest, exists: true)
            sums.replace(former, with: mark)
            marks[list] = mark
        }
        guard sums == stored else { return nil }
        publisher.publish(changes, in: history)
        return next
    }
}

extension FeedFollower.Position {
    /// Reads the position from the rows of `Statement.poll`.
    init(poll rows: Rows) throws(DatabaseFault) {
        self.init(
            snapshot: try rows.text(0, 0),
            base: try rows.integer(0, 7),
            meta: try rows.text(0, 8),
            capacity: Int(try rows.integer(0, 9))
        )
    }
}

extension PostgresConnection {
    /// Reads the changes that became visible since a position.
    fileprivate func poll(since position: FeedFollower.Position) throws(DatabaseFault) -> Rows {
        var parameters = Parameters()
        parameters.add(position.snapshot)
        parameters.add(Int64(Self.maximumChanges))
        let rows = try run(.poll, parameters)
        guard rows.count > 0 else { throw .malformed("a poll returned no row") }
        return rows
    }
}
