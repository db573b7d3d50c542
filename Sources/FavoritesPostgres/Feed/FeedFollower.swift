internal import MarvelDomain

/// The follower of other replicas' changes, on a connection of its own.
///
/// Its position is a snapshot: a poll returns exactly what became visible since, but for this server's own transactions that are
/// published. A notification only makes a poll come sooner; a server sends none while its feed is the only one. A database that crashed uses transaction ids again, and a
/// position may hide changes of it. So after a new connection the sums over all lists are compared, and all lists if the
/// sums differ.
final class FeedFollower: Sendable {
    /// The maximum time between two polls.
    static let pollInterval = Duration.milliseconds(250)
    /// The minimum time between the beginnings of two polls: each takes 0.1 ms of the database's CPU.
    private static let minimumPollDistance = Duration.milliseconds(3)
    /// The maximum number of lists whose changes are read after a lost connection.
    private static let maximumLists = 1_000

    /// The state of the database at a poll.
    struct Position: Equatable {
        /// The visible transactions.
        var snapshot: String
        var base: Int64
        /// The version of the row of `meta`.
        var meta: String
        var capacity: Int
    }

    let thread: DatabaseThread
    private let publisher: FeedPublisher
    private let history: HistoryFollower
    private let status: StoreStatus
    /// The process of the database that serves this replica's writer.
    private let ownBackend: @Sendable () -> Int32
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
                // An operator may change it for all servers.
                if let capacity = position?.capacity { publisher.noted(capacity: capacity) }
                status.connected(.feed)
                status.polled(at: moment)
                if isCaughtUp { try rest(connection, after: moment) }
            } catch {
                isCaughtUp = false
                // A poll from there would find an unreadable row again.
                if error.consequence != .reconnect { position = nil }
                if link.current != nil { link.failed(error) }
                status.failed(.feed, error)
                link.waitForAttempt()
            }
        }
    }

    /// Waits for a notification of another replica, or for the time of the next poll.
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

    /// Publishes what became visible since a position, and returns the next one; nil if all lists have to be compared.
    private func poll(_ connection: PostgresConnection, since position: Position) throws(DatabaseFault) -> Position? {
        let own = publisher.takeOwnTransactions(on: connection.cluster)
        let rows = try connection.poll(since: position, without: own)
        let current = HistoryID(try rows.integer(0, 5))
        guard current == publisher.history else {
            try history.follow(connection)
            return nil
        }
        let next = try Position(poll: rows)
        // A row of `meta` that was rewritten without a higher base may be that of a restored dump.
        let isPutBack = next.meta != position.meta && next.base <= position.base
        status.noted(isAlone: try rows.boolean(0, 10))
        let isSynchronous = try rows.boolean(0, 6)
        if isSynchronous != status.isSynchronous {
            // A server that connects to a promoted standby reads there whether commits waited for it.
            try connection.adoptCluster()
            status.noted(isSynchronous: isSynchronous)
        }
        var changes: [LoggedChange] = []
        for row in 0..<rows.count where !rows.isNull(row, 1) {
            let list = try ListName(rows, row, 1)
            // The writer may have committed it since the poll began.
            guard try !publisher.isKnown(list, at: rows.integer(row, 2)) else { continue }
            changes.append(try LoggedChange(rows, row, from: 1))
        }
        publisher.publish(changes, in: current)
        return rows.count < PostgresConnection.maximumChanges && !isPutBack ? next : nil
    }

    /// Publishes what is missing on a new connection, and returns the position for the next poll; nil if a new history has begun.
    private func catchUp(
        _ connection: PostgresConnection,
        since last: Position?
    ) throws(DatabaseFault) -> Position? {
        try connection.execute(Statement.listen)
        // Another server may have lost them, and use their numbers again.
        _ = publisher.takeOwnTransactions(on: nil)
        // Copied before the database is read: later changes of this replica are no difference.
        let published = publisher.published
        if let last, let next = try catchUp(connection, since: last, published) { return next }
        let (position, stored) = try connection.readMarks()
        guard stored.history == published.history else {
            try history.follow(connection)
            return nil
        }
        var difference = published.difference(to: stored)
        let damaged = try history.removeDamage(from: &difference, connection)
        guard try !history.hasLostChanges(connection, published, difference) else {
            try history.renew(connection)
            return nil
        }
        publisher.reached(difference.deleted, in: stored.history)
        publisher.forget(difference.missing.merging(difference.deleted) { $1 }, in: stored.history)
        guard !difference.changed.isEmpty else { return position }
        guard difference.changed.count <= Self.maximumLists,
            let missing = try connection.changes(after: difference.changed, in: stored.history)
        else {
            publisher.lost(stored.replacing(damaged, by: published))
            return position
        }
        publisher.publish(missing, in: stored.history)
        // The log keeps some changes no longer: only their revisions are known.
        let reached = stored.marks.filter { difference.changed[$0.key] != nil && !damaged.contains($0.key) }
        publisher.reached(reached, in: stored.history)
        return position
    }

    /// Publishes the changes since a position of an earlier connection, if they are all that is missing; otherwise returns nil.
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
            // Other changes may have replaced those that were published.
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
    fileprivate func poll(
        since position: FeedFollower.Position,
        without own: [TransactionID] = []
    ) throws(DatabaseFault) -> Rows {
        let rows = try run(.poll, position.snapshot, Self.maximumChanges, own)
        guard rows.count > 0 else { throw .malformed("a poll returned no row") }
        return rows
    }
}
