import Foundation

/// Favorites in a PostgreSQL database, by one server and by three, beside those in a file.
///
/// Servers, load and database share all cores but one, which is the load's: with two cores the database is what runs
/// most of the time, and three servers show what they cost each other, not what they add.
struct SharedDatabase: Encodable {
    struct Row: Encodable {
        let title: String
        let store: String
        let togglesPerSecond: Double
        /// The times of a toggle, in microseconds.
        let p50: Double
        let p99: Double
        /// Microseconds of processor time for each toggle: of all servers, and of the database.
        let serverCPU: Double
        let databaseCPU: Double
    }

    /// A set of servers, and the load on each of them.
    private struct Setting {
        let title: String
        let servers: Int
        let usesDatabase: Bool
        let connections: Int
        let inFlight: Int
        let toggles: Int
    }

    /// The toggles after which a watcher is timed.
    private static let watchedToggles = 200

    let rows: [Row]
    /// From a toggle's sending through one server to the watcher's hearing of it through another, in milliseconds.
    let watcherDelay: Double
    let watcherDelayP99: Double
    /// The processor time of a page with this store to that of a page with a file.
    let pageRatio: Double

    init?(pace: Pace, in laboratory: Laboratory) throws {
        guard let database = try BenchmarkDatabase() else { return nil }
        let settings = Self.settings(pace)
        let rounds = try (1...pace.rounds).map { round in
            Progress.show("PostgreSQL, round \(round) of \(pace.rounds)")
            return try settings.map { try Self.row($0, database, in: laboratory) }
        }
        rows = settings.indices.map { index in Row(medianOf: rounds.map { $0[index] }) }
        let address = try database.makeDatabase()
        let pair = try (0..<2).map { _ in
            try laboratory.startMarvelServer(catalog: "synthetic:1000", database: address, core: nil)
        }
        let report = try laboratory.watch(pair[0], through: pair[1], watchers: 1, toggles: Self.watchedToggles)
        (watcherDelay, watcherDelayP99) = (report.medianDelay, report.delayP99)
        pageRatio = try Self.pageRatio(pace, database, in: laboratory)
    }

    var bar: Bar { Bar("page 16x16 with PostgreSQL: CPU, to a file", pageRatio, atMost: 1.05) }

    private static func settings(_ pace: Pace) -> [Setting] {
        let (many, one) = (pace.groupedToggles, pace.singleToggles)
        func setting(
            _ title: String,
            _ servers: Int,
            _ usesDatabase: Bool,
            _ connections: Int,
            _ inFlight: Int,
            _ toggles: Int
        ) -> Setting {
            Setting(
                title: title,
                servers: servers,
                usesDatabase: usesDatabase,
                connections: connections,
                inFlight: inFlight,
                toggles: toggles
            )
        }
        return [
            setting("1,024 in flight", 1, false, 16, 64, many),
            setting("1,024 in flight", 1, true, 16, 64, many),
            setting("1,008 in flight, 3 servers", 3, true, 16, 21, many / 3),
            setting("one at a time", 1, false, 1, 1, one),
            setting("one at a time", 1, true, 1, 1, one),
        ]
    }

    private static func row(
        _ setting: Setting,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> Row {
        let address = setting.usesDatabase ? try database.makeDatabase() : nil
        let servers = try (0..<setting.servers).map { _ in
            try laboratory.startMarvelServer(catalog: "synthetic:1000", database: address, core: nil)
        }
        let options = ["--workload", "toggle", "--in-flight", "\(setting.inFlight)", "--calls", "\(setting.toggles)"]
        let before = try database.cpu()
        let reports = try laboratory.load(servers, connections: setting.connections, options)
        // A server that ends takes the processes of the database that served it along, and their times.
        let after = try withExtendedLifetime(servers) { try database.cpu() }
        let calls = Double(reports.map(\.calls).reduce(0, +))
        // A quarter as many toggles go before those that are measured, and cost the database as much.
        let spent = after.map { $0.value - (before[$0.key] ?? 0) }.reduce(0, +) / 1.25
        return Row(
            title: setting.title,
            store: setting.usesDatabase ? "PostgreSQL" : "a file",
            togglesPerSecond: calls / (reports.map(\.seconds).max() ?? 1),
            p50: reports.map(\.p50).median / 1e3,
            p99: (reports.map(\.p99).max() ?? 0) / 1e3,
            serverCPU: reports.map(\.serverCPU).reduce(0, +) / 1e3 / calls,
            databaseCPU: setting.usesDatabase ? spent / 1e3 / calls : 0
        )
    }

    private static func pageRatio(
        _ pace: Pace,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> Double {
        let address = try database.makeDatabase()
        let servers = [
            try laboratory.startMarvelServer(), try laboratory.startMarvelServer(database: address),
        ]
        let ratios = try (0..<pace.rounds).map { _ in
            let figures = try servers.map {
                Figures(try laboratory.load($0, ["--workload", "page"] + pace.loadOptions))
            }
            return figures[1].cpu / figures[0].cpu
        }
        return ratios.median
    }

    /// The figures for people.
    var table: String {
        var table = TextTable(["toggles", "store", "toggles/s", "p50 us", "p99 us", "server CPU us", "database CPU us"])
        for row in rows {
            table.add(
                [row.title, row.store] + [row.togglesPerSecond, row.p50, row.p99].map { String(format: "%.0f", $0) }
                    + [
                        String(format: "%.1f", row.serverCPU),
                        row.databaseCPU == 0 ? "-" : String(format: "%.1f", row.databaseCPU),
                    ]
            )
        }
        return table.description
            + String(
                format: "\na watcher at another server hears after %.1f ms, p99 %.1f ms",
                watcherDelay,
                watcherDelayP99
            )
            + String(format: "\na page 16x16 takes %.2f of the CPU of one with a file", pageRatio)
    }
}

extension SharedDatabase.Row {
    fileprivate init(medianOf rows: [SharedDatabase.Row]) {
        title = rows[0].title
        store = rows[0].store
        togglesPerSecond = rows.map(\.togglesPerSecond).median
        p50 = rows.map(\.p50).median
        p99 = rows.map(\.p99).median
        serverCPU = rows.map(\.serverCPU).median
        databaseCPU = rows.map(\.databaseCPU).median
    }
}
