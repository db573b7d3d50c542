package import FavoritesEngine
internal import Foundation
package import MarvelDomain
internal import Synchronization

/// A store of favorites in a PostgreSQL database, which several servers share.
///
/// It has four connections, each on a thread of its own: the writer, the feed of other servers' changes, the reader, and one for
/// work that may wait. Each connects again by itself. Without a primary, changes and reads fail after a moment with `.unavailable`,
/// or a change with `.outcomeUnknown` if it may be made.
package final class PostgresFavoritesStore: DrivenStore, Sendable {
    package var history: HistoryID { publisher.history }
    package var feed: StoreFeed { publisher.feed }
    package var feedAge: Duration { status.feedAge }

    /// The number of favorites that a list held when the store was opened.
    package let capacity: Int

    let publisher: FeedPublisher
    let status: StoreStatus
    let writer: Writer
    let reader: DatabaseWorker
    /// The connection of the work that may wait: edits, the characters on lists, and the deletion of old names.
    let background: DatabaseWorker
    let follower: FeedFollower
    let now: @Sendable () -> Timestamp

    package struct Settings: Sendable {
        /// The number of favorites that a list holds; nil for that of the store, or 5 if it is new.
        package var capacity: Int?
        /// The maximum number of lists. Servers that make lists at the same time may exceed it by a group.
        package var maximumLists: Int
        /// The maximum number of lists of an owner with a name; 0 sets no limit.
        package var maximumListsPerOwner: Int
        /// The maximum number of answers to requests; there are more only for two minutes.
        package var answers: Int64
        /// The number of the last changes of each list that are kept.
        package var changesPerList: Int64
        /// The time for which opening waits for a database that cannot be reached.
        package var openingTimeout = Duration.zero

        package init(
            capacity: Int? = nil,
            maximumLists: Int = 100_000,
            maximumListsPerOwner: Int = 100,
            answers: Int64 = 1_000_000,
            changesPerList: Int64 = 1_000
        ) {
            self.capacity = capacity
            self.maximumLists = maximumLists
            self.maximumListsPerOwner = maximumListsPerOwner
            self.answers = answers
            self.changesPerList = changesPerList
        }
    }

    /// Opens the store, and makes or migrates its schema. It blocks meanwhile: call it before serving.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - settings: The settings.
    ///   - now: The wall clock.
    ///   - onWarning: Called with a line for the operator's log about settings of the database, when it is opened and when
    ///     they change.
    ///   - onError: Called with a line for the operator's log, with details that callers do not get.
    ///   - onRefusal: Called once, with the reason, when the store accepts no more changes until it is opened again.
    /// - Throws: The reason for the operator.
    package convenience init(
        _ address: DatabaseAddress,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Timestamp,
        onWarning: @escaping @Sendable (String) -> Void = { _ in },
        onError: @escaping @Sendable (String) -> Void = { _ in },
        onRefusal: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(FavoritesDatabaseError) {
        let status = StoreStatus(onWarning: onWarning, onError: onError, onRefusal: onRefusal)
        let opened = try OpenedDatabase(address, settings, status)
        try self.init(opened, address, settings, now, status)
    }

    private init(
        _ opened: OpenedDatabase,
        _ address: DatabaseAddress,
        _ settings: Settings,
        _ now: @escaping @Sendable () -> Timestamp,
        _ status: StoreStatus
    ) throws(FavoritesDatabaseError) {
        capacity = opened.facts.capacity
        (self.now, self.status) = (now, status)
        var engine = FavoritesEngine.Settings()
        engine.rules.capacity = opened.facts.capacity
        engine.rules.maximumLists = settings.maximumLists
        engine.rules.maximumListsPerOwner = settings.maximumListsPerOwner
        engine.isShared = true
        publisher = FeedPublisher(engine, opened.marks)
        writer = try Writer(settings, publisher, status, now)
        let sweeper = RecordSweeper(
            maximumDeletedNames: 10 * Int64(min(settings.maximumLists, 1_000_000_000))
        )
        reader = try DatabaseWorker(.reader, status)
        background = try DatabaseWorker(.background, status, sweeper)
        let history = HistoryFollower(address, publisher, status, on: opened.facts.served)
        follower = try FeedFollower(publisher, history, status, from: opened.position) { [writer] in writer.backendID }
        start(writer.thread, .writer, history) { [writer] in writer.run($0) }
        for worker in [reader, background] { start(worker.thread, worker.part, history) { worker.work($0) } }
        start(follower.thread, .feed, history) { [follower] in follower.work($0) }
    }

    private func start(
        _ thread: DatabaseThread,
        _ part: StoreStatus.Part,
        _ history: HistoryFollower,
        _ body: @escaping @Sendable (DatabaseLink) -> Void
    ) {
        thread.start { loss throws(DatabaseFault) in
            try history.connect("marvel-server \(part.rawValue)", after: loss)
        } running: { link in
            body(link)
        }
    }

    deinit { stop() }

    private var threads: [DatabaseThread] { [writer.thread, reader.thread, background.thread, follower.thread] }

    private func stop() {
        writer.stop()
        for thread in threads { thread.stop() }
    }

    /// Finishes the changes that wait, and closes the connections.
    package func close() async {
        stop()
        await withCheckedContinuation { continuation in
            // The wait for the threads blocks.
            DispatchQueue.global().async { [threads] in
                for thread in threads { thread.join() }
                continuation.resume()
            }
        }
    }

    package func add(
        _ kind: FavoritesRequest.Kind,
        key: RequestKey?,
        _ deadline: ContinuousClock.Instant?,
        reply: FavoritesRequest.Reply
    ) -> @Sendable () -> Void {
        writer.add(kind, key, deadline, reply: reply)
    }

    // MARK: State

    /// The reason that the store accepts no changes until it is opened again; nil while it accepts them.
    package var refusal: String? { status.refusal }

    /// The reason that the database refused the last change, for example a full disk; nil after one that was committed.
    /// The next change is tried.
    package var writeFailure: String? { status.writeFailure }

    /// The reason that the database cannot be reached now; nil if it can.
    package var unavailability: String? { status.unavailability }

    /// The durations of the committed groups, each one round trip.
    package var commitDurations: HistogramCounts { writer.durations.counts }

    package var listCount: Int { publisher.listCount }

    package var damagedListCount: Int { status.damagedLists.count }

    package func sentRevision(of list: ListName) -> Int64? { publisher.revision(of: list) }
}

private struct OpenedDatabase {
    let facts: StoreFacts
    let marks: ListMarks
    /// The position of the feed at which the lists were read.
    let position: FeedFollower.Position

    private static let retryInterval = 0.25

    /// Connects, makes or migrates the schema, and reads the revisions of all lists. While the database cannot be reached, or another
    /// server is in the way, it is tried again for `settings.openingTimeout`.
    init(
        _ address: DatabaseAddress,
        _ settings: PostgresFavoritesStore.Settings,
        _ status: StoreStatus
    ) throws(FavoritesDatabaseError) {
        guard ListRules.capacities.contains(settings.capacity ?? 5) else {
            throw FavoritesDatabaseError(.invalidSetting, "the capacity of a list must be 1 to 100")
        }
        self = try Self.read(address, settings, status)
        if let capacity = settings.capacity, capacity != facts.capacity {
            throw FavoritesDatabaseError(
                .invalidSetting,
                "the capacity of the database is \(facts.capacity), set by its first server, not "
                    + "\(capacity): change it for all servers with UPDATE marvel.meta SET capacity = \(capacity)"
            )
        }
        status.connected(.reader)
        status.noted(isSynchronous: facts.isSynchronous)
    }

    private static func read(
        _ address: DatabaseAddress,
        _ settings: PostgresFavoritesStore.Settings,
        _ status: StoreStatus
    ) throws(FavoritesDatabaseError) -> OpenedDatabase {
        let deadline = ContinuousClock.now + settings.openingTimeout
        while true {
            do throws(DatabaseFault) {
                return try OpenedDatabase(address, capacity: settings.capacity ?? 5)
            } catch {
                guard [.reconnect, .retry].contains(error.consequence), .now < deadline else {
                    throw FavoritesDatabaseError(
                        error.consequence == .reconnect ? .unreachable : .failed,
                        "the store \(address) cannot be opened: \(error)"
                    )
                }
                status.failed(.reader, error)
                // The caller waits for the store, and serves nothing before it is open.
                Thread.sleep(forTimeInterval: retryInterval)
            }
        }
    }

    private init(_ address: DatabaseAddress, capacity: Int) throws(DatabaseFault) {
        let (connection, facts) = try PostgresConnection.toPrimary(address, name: "marvel-server") {
            connection throws(DatabaseFault) in
            try SchemaMigration.migrate(connection, capacity: capacity)
            return try ClusterChange.verifiedFacts(connection, floor: 0)
        }
        self.facts = facts
        (position, marks) = try connection.readMarks()
    }
}
