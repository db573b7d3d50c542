import Catalog
import ChildProcesses
import Foundation
import Framing
import MarvelDomain
import TestDatabases
import WireMessages

/// The times of operations in a store with many lists, beside those in a small one, in a database and in a file.
struct LargeStores {
    private struct Row {
        let store: String
        let operation: String
        /// Median times, in microseconds.
        let small: Double
        let large: Double

        var ratio: Double { large / small }
    }

    /// A store on which operations are timed.
    private struct Store {
        let kind: String
        let address: String
        let count: Int
    }

    /// The number of lists of the small store: each operation takes another one.
    private static let smallCount = 5_000
    private static let callCount = 300
    /// Watches of one connection, below the server's limit.
    private static let watchCount = 80
    private static let reconnectCount = 7

    private let rows: [Row]
    /// The resident memory of an idle server, in megabytes, by the kind of the store: with the small and the large one.
    private let memory: [(kind: String, small: Double, large: Double)]
    /// The times from the end of all feeds to a change through one server that a watcher at another one hears of, in
    /// milliseconds.
    private let reconnect: [Double]

    /// - Returns: The figures; nil if PostgreSQL is not installed.
    init?(lists count: Int, in laboratory: Laboratory) throws {
        guard let database = try BenchmarkDatabase() else { return nil }
        var (rows, memory): ([Row], [(String, Double, Double)]) = ([], [])
        let databases = try [Self.smallCount, count].map { try Self.makeStore($0, database, in: laboratory) }
        let files = try databases.map { try Self.makeFile(of: $0, in: laboratory) }
        for stores in [databases, files] {
            Progress.show("\(stores[0].kind)")
            let servers = try stores.map { try Self.start($0, in: laboratory) }
            let resident = try servers.map { Double(try ProcessUsage(pid: $0.pid).residentBytes()) / 1e6 }
            // Each server runs for as long as its object lives.
            rows += try withExtendedLifetime(servers) { try Self.rows(of: servers, stores) }
            memory.append((stores[0].kind, resident[0], resident[1]))
        }
        (self.rows, self.memory) = (rows, memory)
        reconnect = try Self.reconnectTimes(databases[1], database, in: laboratory)
    }

    var bars: [Bar] {
        rows.map { Bar("\($0.operation), \($0.store): time, to a small store", $0.ratio, atMost: 3) }
            + [Bar("a feed connects again: median time to a change", reconnect.median, atMost: 2_000, "ms")]
    }

    /// The figures for people.
    var table: String {
        var table = TextTable(["store", "operation", "small us", "large us", "ratio"])
        for row in rows {
            table.add(
                [row.store, row.operation] + [row.small, row.large, row.ratio].map { String(format: "%.1f", $0) }
            )
        }
        let resident = memory.map {
            String(format: "\n\($0.kind): resident %.1f MB, large %.1f MB", $0.small, $0.large)
        }
        let times = reconnect.map { String(format: "%.0f", $0) }.joined(separator: ", ")
        return table.description + resident.joined()
            + "\nfeeds connect again, and a change is heard of after \(times) ms"
    }

    // MARK: Stores

    private static func start(_ store: Store, in laboratory: Laboratory) throws -> RunningServer {
        try laboratory.startMarvelServer(
            catalog: "synthetic:1000",
            database: store.address,
            core: nil,
            options: ["--set", "capacity=2"]
        )
    }

    private static func makeStore(
        _ count: Int,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> Store {
        Progress.show("making \(count) lists")
        let store = Store(kind: "PostgreSQL", address: try database.makeDatabase(), count: count)
        // The server makes the schema, and ends.
        try withExtendedLifetime(start(store, in: laboratory)) {}
        try database.run(LargeStore.filling(count), in: store.address)
        try database.run("VACUUM ANALYZE", in: store.address)
        return store
    }

    private static func makeFile(of store: Store, in laboratory: Laboratory) throws -> Store {
        Progress.show("copying \(store.count) lists into a file")
        let path = laboratory.folder.appendingPathComponent("large-\(store.count).sqlite").path
        let text = path + ".jsonl"
        defer { try? FileManager.default.removeItem(atPath: text) }
        for arguments in [[store.address, "--export", text], [path, "--import", text]] {
            _ = try PinnedProcess.output(core: nil, [laboratory.programs.server, "lists"] + arguments)
        }
        return Store(kind: "file", address: path, count: store.count)
    }

    // MARK: Operations

    /// Times the operations. Each call is made on the small store and then on the large one, so that a slow period of the
    /// machine is slow for both.
    private static func rows(of servers: [RunningServer], _ stores: [Store]) throws -> [Row] {
        let clients = try servers.map { try FrameClient(port: $0.port) }
        func row(
            _ operation: String,
            _ number: Int,
            count: Int = callCount,
            _ call: (FrameClient, _ list: String) throws -> Void
        ) throws -> Row {
            var times: [[Double]] = [[], []]
            for number in (0..<count).map({ number * callCount + $0 }) {
                for (index, (client, store)) in zip(clients, stores).enumerated() {
                    // Far from each other, so that few share a page. Each operation has lists of its own.
                    let list = LargeStore.name(1 + number * (store.count / (6 * callCount)))
                    let start = monotonicTime()
                    try call(client, list)
                    times[index].append(Double(monotonicTime() - start) / 1e3)
                }
            }
            return Row(store: stores[0].kind, operation: operation, small: times[0].median, large: times[1].median)
        }
        return [
            try row("changes", 0, count: watchCount) { client, list in
                let watch = RequestEnvelope("WatchFavorites", WatchFavoritesRequest(list: list, fromRevision: 1))
                try client.send(watch, isStream: true)
                try client.awaitFrame { $0.type == .data }
            },
            try row("list", 1) { try $0.succeed([RequestEnvelope("ListFavorites", ListFavoritesRequest(list: $1))]) },
            try row("page of lists", 2) {
                try $0.succeed([RequestEnvelope("ListLists", ListListsRequest(prefix: $1, pageSize: 50))])
            },
            try row("toggle with eviction", 3) { try $0.succeed([toggle($1, 2)]) },
            try row("deletion", 4) { try $0.succeed([RequestEnvelope("DeleteList", DeleteListRequest(list: $1))]) },
            try row("toggle of a deleted name", 4) { try $0.succeed([toggle($1, 3)]) },
            try row("toggle of a new name", 5) { try $0.succeed([toggle("new-\($1)", 3)]) },
        ]
    }

    private static func toggle(_ list: String, _ character: Int) -> RequestEnvelope {
        RequestEnvelope(
            "ToggleFavorite",
            ToggleFavoriteRequest(list: list, characterID: Workload.characters[character].id, desired: .saved)
        )
    }

    private static func reconnectTimes(
        _ store: Store,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> [Double] {
        let servers = try (0..<2).map { _ in try start(store, in: laboratory) }
        // Each server runs for as long as its object lives.
        defer { withExtendedLifetime(servers) {} }
        let (toggler, watcher) = (try FrameClient(port: servers[0].port), try FrameClient(port: servers[1].port))
        let watch = RequestEnvelope("WatchFavorites", WatchFavoritesRequest(list: "watched"))
        try watcher.send(watch, isStream: true)
        try watcher.awaitFrame { $0.type == .data }
        return try (0..<reconnectCount).map { call in
            try database.run(
                """
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'marvel-server feed'
                """,
                in: store.address
            )
            let start = monotonicTime()
            try toggler.call(toggle("watched", call))
            try watcher.awaitFrame { $0.type == .data }
            return Double(monotonicTime() - start) / 1e6
        }
    }
}
