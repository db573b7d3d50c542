internal import FavoritesEngine
internal import Foundation
package import MarvelDomain
internal import Synchronization

/// A store of favorites in a PostgreSQL database, which several servers share.
///
/// Four connections, each on a thread of its own: one writes, in groups; one follows the changes of other servers; one reads
/// lists; one does what may wait. Each connects again by itself. While there is no primary, changes and reads of the
/// database wait a moment and then fail with `.unavailable`, or a change with `.outcomeUnknown` if it may be made.
///
/// A toggle that the writer has begun is decided again if its connection is lost, until its outcome is known, or its time is
/// over. So it is done once, whatever happens in between.
package final class PostgresFavoritesStore: FavoritesStore, Sendable {
    package var history: HistoryID { publisher.history }
    package var feed: Subject<StoreEvent> { publisher.feed }
    package var feedAge: Duration { status.feedAge }

    /// The number of favorites that a list held when the store was opened.
    package let capacity: Int

    let publisher: FeedPublisher
    let status: StoreStatus
    let writer: Writer
    let reader: DatabaseWorker
    /// The connection of the work that may wait, so that no read of a list waits for it.
    let background: DatabaseWorker
    let follower: FeedFollower
    let now: @Sendable () -> Timestamp
    let changesPerList: Int64

    /// The settings of a store.
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
        (self.now, self.status, changesPerList) = (now, status, settings.changesPerList)
        var engine = FavoritesEngine.Settings()
        engine.rules.capacity = opened.facts.capacity
        engine.rules.maximumLists = settings.maximumLists
        engine.rules.maximumListsPerOwner = settings.maximumListsPerOwner
        engine.isShared = true
        publisher = FeedPublisher(engine, opened.marks)
        var limits = Writer.Limits()
        limits.changesPerList = settings.changesPerList
        limits.maximumListsPerOwner = settings.maximumListsPerOwner
        limits.maximumAnswers = settings.answers
        writer = try Writer(limits, publisher, status, now)
        let sweeper = RecordSweeper(
            maximumDeletedNames: 10 * Int64(min(settings.maximumLists, 1_000_000_000))
        )
        reader = try DatabaseWorker(.reader, status)
        background = try DatabaseWorker(.background, status, sweeper)
        let backend = WriterBackend()
        let history = HistoryFollower(address, publisher, status, on: opened.facts.served)
        follower = try FeedFollower(publisher, history, status, from: opened.position) { backend.id }
        start(history, backend)
    }

    private func start(_ history: HistoryFollower, _ backend: WriterBackend) {
        writer.thread.start { loss throws(DatabaseFault) in
            let connection = try history.connect("marvel-server writer", after: loss)
            backend.set(connection.backendID)
            return connection
        } running: { [writer] link in
            writer.run(link)
        }
        for worker in [reader, background] {
            worker.thread.start { loss throws(DatabaseFault) in
                try history.connect("marvel-server \(worker.part.rawValue)", after: loss)
            } running: { link in
                worker.work(link)
            }
        }
        follower.thread.start { loss throws(DatabaseFault) in
            try history.connect("marvel-server feed", after: loss)
        } running: { [follower] link in
            follower.work(link)
        }
    }

    deinit { for thread in threads { thread.stop() } }

    private var threads: [DatabaseThread] { [writer.thread, reader.thread, background.thread, follower.thread] }

    /// Finishes the changes that wait, and closes the connections.
    package func close() async {
        for thread in threads { thread.stop() }
        await withCheckedContinuation { continuation in
            // It waits for threads, so it needs a thread that may block.
            DispatchQueue.global().async { [threads] in
                for thread in threads { thread.join() }
                continuation.resume()
            }
        }
    }

    // MARK: State

    /// The reason that the store accepts no changes until it is opened again; nil while it accepts them.
    package var refusal: String? { status.refusal }

    /// The reason that the database cannot be reached now; nil if it can.
    package var unavailability: String? { status.unavailability }

    /// The durations of the groups that were committed since the store was opened, each one round trip.
    package var commitDurations: HistogramCounts { writer.counts.durations.counts }

    /// The number of lists that exist.
    package var listCount: Int { publisher.listCount }

    /// The number of lists that were found damaged since the store was opened. They are refused.
    package var damagedListCount: Int { status.damagedListCount }

    package func sentRevision(of list: ListName) -> Int64? { publisher.revision(of: list) }
}

/// The process of the database that serves the writer.
private final class WriterBackend: Sendable {
    private let stored = Atomic<Int32>(0)

    var id: Int32 { stored.load(ordering: .relaxed) }

    func set(_ id: Int32) { stored.store(id, ordering: .relaxed) }
}
