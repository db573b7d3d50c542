import Foundation
import SQLiteFiles
import Synchronization
import Testing

@Suite struct DatabaseTests {
    @Test func valuesOfEachTypeComeBack() throws {
        let db = try Database(nil)
        try db.execute("CREATE TABLE t (a, b, c, d, e)")
        let values: [SQLValue] = [.null, .integer(.min), .real(0.5), .text("a\u{0}ü"), .blob([])]
        try db.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", binding: values)
        #expect(try db.first("SELECT * FROM t", body: \.values) == values)
        try db.run("UPDATE t SET a = ?, e = ?", true, [0, 255] as [UInt8])
        _ = try db.first("SELECT a, c, e FROM t") { row throws in
            #expect(try row.read(at: 0) == true)
            #expect(try row.read("e") == [0, 255] as [UInt8])
            #expect(throws: DatabaseError.self) { try row.read(at: 2, as: String.self) }
            #expect(throws: DatabaseError.self) { try row.readIfPresent(at: 1, as: Int.self) }
            #expect(throws: DatabaseError.self) { try row.read("d", as: Int.self) }
        }
    }

    /// SQLite would take these for the address of another file, and for none.
    @Test(arguments: ["file:marvel-test-name", ":memory:"]) func anyNameIsThatOfAFile(_ name: String) throws {
        defer { for path in [name, "marvel-test-name"] { unlink(path) } }
        try Database(name).execute("CREATE TABLE t (a)")
        #expect(access("./\(name)", F_OK) == 0)
    }

    @Test func aStatementRunsInsideItself() throws {
        let db = try Database(nil)
        try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
        let pairs = try db.all("SELECT a FROM t") { row in
            try (row.read(at: 0, as: Int.self), db.values("SELECT a FROM t", as: Int.self))
        }
        #expect(pairs.map(\.0) == [1, 2, 3])
        #expect(pairs.allSatisfy { $0.1 == [1, 2, 3] })
        try db.execute("DROP TABLE t")
    }

    @Test func aDatabaseIsNotClosedWhileItsRowsAreRead() throws {
        let db = try Database(nil)
        let rows = try db.rows("SELECT 1")
        #expect(throws: DatabaseError.self) { try db.close() }
        while try rows.next() != nil {}
        try db.close()
        #expect(throws: DatabaseError.self) { try db.execute("SELECT 1") }
    }

    /// With `OR ROLLBACK`, SQLite itself ends the transaction, as it does after some errors of a disk.
    @Test(arguments: ["INSERT", "INSERT OR ROLLBACK"])
    func aTransactionThatFailsIsFollowedByOthers(_ insert: String) throws {
        let db = try Database(nil)
        try db.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        func add(_ numbers: [Int]) throws {
            try db.committed { for number in numbers { try db.run("\(insert) INTO t VALUES (?)", number) } }
        }
        let error = #expect(throws: DatabaseError.self) { try add([1, 1]) }
        #expect(error?.failure == .constraint)
        try add([2])
        #expect(try db.values("SELECT a FROM t", as: Int.self) == [2])
    }

    @Test func functionsGetAndReturnValuesOfEachType() throws {
        let db = try Database(nil)
        try db.add(DatabaseFunction("last") { $0.last ?? .null })
        let row = try db.first("SELECT last(1, NULL), last(2), last(0.5), last('ä'), last(x'00FF')", body: \.values)
        #expect(row == [.null, .integer(2), .real(0.5), .text("ä"), .blob([0, 255])])
    }
}

@Suite struct DatabasePoolTests {
    /// Runs `body` with the pool of a file that has a table `t`, and closes it.
    private func withPool(_ body: (DatabasePool) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pool-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try DatabasePool(folder.appending(path: "db").path, Database.Settings(), readerCount: 2) { db in
            try db.execute("CREATE TABLE t (a)")
        }
        try await body(pool)
        try pool.close()
        await #expect(throws: DatabaseError.self) { try await pool.count() }
    }

    @Test func aReaderSeesOneStateWhileTheWriterContinues() async throws {
        try await withPool { pool in
            let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let counts = pool.reading { db in
                let before: Int? = try db.value("SELECT count(*) FROM t")
                began.signal()
                mayEnd.wait()
                return [before, try db.value("SELECT count(*) FROM t")]
            }
            await Task.detached { began.wait() }.value
            try pool.writer.sync { db in try db.run("INSERT INTO t VALUES (1)") }
            #expect(try await pool.count() == 1, "another reader")
            mayEnd.signal()
            #expect(try await counts == [0, 0])
        }
    }

    @Test func moreReadersThanConnectionsAreAllAnswered() async throws {
        try await withPool { pool in
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 1...100 { group.addTask { try await pool.count() } }
                for try await count in group { #expect(count == 0) }
            }
        }
    }

    @Test func nobodyReadsWhileTheWriterIsAlone() async throws {
        try await withPool { pool in
            let reading = Readers()
            let (done, end) = AsyncStream.makeStream(of: Int.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...50 {
                    group.addTask {
                        try await pool.reading { db in
                            reading.count.withLock { $0 += 1 }
                            defer { reading.count.withLock { $0 -= 1 } }
                            _ = try db.value("SELECT count(*) FROM t", as: Int.self)
                        }
                    }
                    guard number.isMultiple(of: 10) else { continue }
                    pool.writeWithoutReaders { _ in end.yield(reading.count.withLock { $0 }) }
                }
                try await group.waitForAll()
            }
            var counts: [Int] = []
            for await count in done {
                counts.append(count)
                if counts.count == 5 { break }
            }
            #expect(counts == [0, 0, 0, 0, 0])
        }
    }

    @Test func aReaderDoesNotWrite() async throws {
        try await withPool { pool in
            await #expect(throws: DatabaseError.self) {
                try await pool.reading { db in try db.run("INSERT INTO t VALUES (1)") }
            }
        }
    }
}

private final class Readers: Sendable {
    let count = Mutex(0)
}

extension DatabasePool {
    fileprivate func reading<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            read(body) { continuation.resume(with: $0) }
        }
    }

    fileprivate func count() async throws -> Int? {
        try await reading { db in try db.value("SELECT count(*) FROM t") }
    }
}
