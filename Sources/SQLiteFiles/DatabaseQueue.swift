internal import Dispatch
internal import Synchronization

/// A connection that many threads use, one after the other.
///
/// `@unchecked Sendable` because only the serial queue uses the connection, except for `interrupt`. SQLite permits that
/// from any thread while the connection is open.
package final class DatabaseQueue: @unchecked Sendable {
    private let db: Database
    private let queue = DispatchQueue(label: "database")

    package init(_ path: String? = nil, _ settings: Database.Settings = Database.Settings()) throws {
        db = try Database(path, settings)
    }

    package func sync<Value>(_ body: (Database) throws -> Value) rethrows -> Value { try queue.sync { try body(db) } }

    /// Returns immediately.
    package func async(_ body: @escaping @Sendable (Database) -> Void) { queue.async { [self] in body(db) } }

    /// The connection must be open.
    package func interrupt() { db.interrupt() }

    package func close() throws { try sync { db in try db.close() } }
}

/// One connection writes, some read. All are opened together: a later one would open another file if the file was
/// replaced meanwhile.
package final class DatabasePool: Sendable {
    package let writer: DatabaseQueue
    let readers: [DatabaseQueue]
    private let freeReaders: Mutex<[DatabaseQueue]>
    private let freeCount: DispatchSemaphore
    /// Reads wait here for a free connection, in their order.
    private let waiting = DispatchQueue(label: "waiting for readers")

    /// Opens a file with a write-ahead log. `setUp` gets the writer first.
    ///
    /// - Throws: `DatabaseError`, or the error of `setUp`.
    package init(
        _ path: String,
        _ settings: Database.Settings,
        readerCount: Int,
        setUp: (Database) throws -> Void
    ) throws {
        writer = try DatabaseQueue(path, settings)
        try writer.sync { db in
            try db.execute("PRAGMA journal_mode = WAL")
            try setUp(db)
        }
        var reading = settings
        reading.isReadOnly = true
        let queues = [writer] + (try (0..<readerCount).map { _ in try DatabaseQueue(path, reading) })
        // The first statement opens the file; the writer's also creates the log, which a reader cannot.
        for queue in queues {
            try queue.sync { db in _ = try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self) }
        }
        readers = Array(queues.dropFirst())
        freeReaders = Mutex(readers)
        freeCount = DispatchSemaphore(value: readers.count)
    }

    /// All reads see the same state. It returns immediately.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let work: @Sendable (Database) -> Void = { db in then(Result { try db.reading { try body(db) } }) }
        waiting.async { [self] in
            freeCount.wait()
            guard let reader = freeReaders.withLock({ $0.popLast() }) else {
                preconditionFailure("no free reader, although one was counted")
            }
            reader.async { [self] db in
                work(db)
                freeReaders.withLock { $0.append(reader) }
                freeCount.signal()
            }
        }
    }

    /// It returns immediately; later reads wait.
    package func writeWithoutReaders(_ body: @escaping @Sendable (Database) -> Void) {
        waiting.async { [self] in withoutReaders { writer.sync(body) } }
    }

    /// The connections must be open.
    package func interrupt() { for queue in [writer] + readers { queue.interrupt() } }

    /// Blocks until the running work has ended.
    package func close() throws {
        try waiting.sync { try withoutReaders { for queue in readers + [writer] { try queue.close() } } }
    }

    private func withoutReaders<Value>(_ body: () throws -> Value) rethrows -> Value {
        for _ in readers { freeCount.wait() }
        defer { for _ in readers { freeCount.signal() } }
        return try body()
    }
}
