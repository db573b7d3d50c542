import Foundation

/// Favorites in a PostgreSQL database, by one server and by three, beside those in a file and those of a server in C.
///
/// Servers, load and database share all cores but one, which is the load's: with two cores the database is what runs
/// most of the time, and three servers show what they cost each other, not what they add.
struct SharedDatabase: Encodable {
    struct Row: Encodable {
        let title: String
        let server: ServerKind
        let store: String
        let togglesPerSecond: Double
        /// The times of a toggle, in microseconds.
        let p50: Double
        let p99: Double
        /// Microseconds of processor time for each toggle: of all servers, and of the database.
        let serverCPU: Double
        let databaseCPU: Double
    }

    /// Ratios of processor times with the same load: with marvel-server to with the server in C.
    struct Ratio: Encodable {
        let title: String
        let serverCPU: Double
        let databaseCPU: Double
    }

    /// A set of servers, and the load on each of them.
    private struct Setting {
        let title: String
        var server = ServerKind.marvel
        var servers = 1
        var usesDatabase = true
        var connections = 1
        var inFlight = 1
        let toggles: Int
        /// The comparisons with C besides those of the rounds, for each round: a ratio varies by a tenth from one to the next.
        var furtherComparisons = 0
    }

    /// The toggles after which a watcher is timed.
    private static let watchedToggles = 200

    let rows: [Row]
    let ratios: [Ratio]
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
            // In the other order every second time, so that none always runs behind the same one.
            let rows = try (round.isMultiple(of: 2) ? settings.reversed() : settings).map {
                try Self.row($0, database, in: laboratory)
            }
            return round.isMultiple(of: 2) ? rows.reversed() : rows
        }
        var samples = settings.indices.map { index in rounds.map { $0[index] } }
        // The row before that of C is marvel-server's, with the same load.
        let references = settings.indices.filter { settings[$0].server == .favorites }
        for index in references {
            for number in 0..<pace.rounds * settings[index].furtherComparisons {
                Progress.show("PostgreSQL, comparison \(number + 1) with C, \(settings[index].title)")
                for place in number.isMultiple(of: 2) ? [index - 1, index] : [index, index - 1] {
                    samples[place].append(try Self.row(settings[place], database, in: laboratory))
                }
            }
        }
        rows = samples.map { Row(medianOf: $0) }
        ratios = references.map { Ratio(medianOf: Array(zip(samples[$0 - 1], samples[$0]))) }
        let address = try database.makeDatabase()
        let pair = try (0..<2).map { _ in
            try laboratory.startMarvelServer(catalog: "synthetic:1000", database: address, core: nil)
        }
        let report = try laboratory.watch(pair[0], through: pair[1], watchers: 1, toggles: Self.watchedToggles)
        (watcherDelay, watcherDelayP99) = (report.medianDelay, report.delayP99)
        pageRatio = try Self.pageRatio(pace, database, in: laboratory)
    }

    var bars: [Bar] {
        ratios.flatMap { ratio in
            [
                Bar("\(ratio.title), PostgreSQL: CPU, to C", ratio.serverCPU, atMost: 2),
                Bar("\(ratio.title), PostgreSQL: CPU of the database, to C", ratio.databaseCPU, atMost: 1.3),
            ]
        } + [Bar("page 16x16 with PostgreSQL: CPU, to a file", pageRatio, atMost: 1.05)]
    }

    private static func settings(_ pace: Pace) -> [Setting] {
        let many = Setting(
            title: "1,024 in flight",
            connections: 16,
            inFlight: 64,
            toggles: pace.groupedToggles,
            furtherComparisons: 4
        )
        let shared = Setting(
            title: "1,008 in flight, 3 servers",
            servers: 3,
            connections: 16,
            inFlight: 21,
            toggles: pace.groupedToggles / 3
        )
        let single = Setting(title: "one at a time", toggles: pace.singleToggles)
        return compared(many) + [shared] + compared(single)
    }

    /// The same load on a server with a file, on one with the database, and on the server in C.
    private static func compared(_ setting: Setting) -> [Setting] {
        var (inFile, ofReference) = (setting, setting)
        inFile.usesDatabase = false
        ofReference.server = .favorites
        return [inFile, setting, ofReference]
    }

    private static func row(
        _ setting: Setting,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> Row {
        let servers = try start(setting, database, in: laboratory)
        let options = ["--in-flight", "\(setting.inFlight)", "--calls", "\(setting.toggles)"]
        let before = try database.cpu()
        let reports = try laboratory.toggle(servers, connections: setting.connections, options)
        // A server that ends takes the processes of the database that served it along, and their times.
        let after = try withExtendedLifetime(servers) { try database.cpu() }
        let calls = Double(reports.map(\.calls).reduce(0, +))
        // A quarter as many toggles go before those that are measured, and cost the database as much.
        let spent = after.map { $0.value - (before[$0.key] ?? 0) }.reduce(0, +) / 1.25
        return Row(
            title: setting.title,
            server: setting.server,
            store: setting.usesDatabase ? "PostgreSQL" : "a file",
            togglesPerSecond: calls / (reports.map(\.seconds).max() ?? 1),
            p50: reports.map(\.p50).median / 1e3,
            p99: (reports.map(\.p99).max() ?? 0) / 1e3,
            serverCPU: reports.map(\.serverCPU).reduce(0, +) / 1e3 / calls,
            databaseCPU: setting.usesDatabase ? spent / 1e3 / calls : 0
        )
    }

    private static func start(
        _ setting: Setting,
        _ database: BenchmarkDatabase,
        in laboratory: Laboratory
    ) throws -> [RunningServer] {
        let address = setting.usesDatabase ? try database.makeDatabase() : nil
        if setting.server == .favorites, let address { return [try laboratory.startReference(database: address)] }
        return try (0..<setting.servers).map { _ in
            try laboratory.startMarvelServer(catalog: "synthetic:1000", database: address, core: nil)
        }
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
                Figures(try laboratory.load($0, .page, pace.loadOptions))
            }
            return figures[1].cpu / figures[0].cpu
        }
        return ratios.median
    }

    /// The figures for people.
    var table: String {
        var table = TextTable(
            ["toggles", "server", "store", "toggles/s", "p50 us", "p99 us", "server CPU us", "database CPU us"]
        )
        for row in rows {
            table.add(
                [row.title, row.server.rawValue, row.store]
                    + [row.togglesPerSecond, row.p50, row.p99].map { String(format: "%.0f", $0) }
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

extension SharedDatabase.Ratio {
    fileprivate init(medianOf rounds: [(marvel: SharedDatabase.Row, reference: SharedDatabase.Row)]) {
        title = rounds[0].marvel.title
        serverCPU = rounds.map { $0.marvel.serverCPU / $0.reference.serverCPU }.median
        databaseCPU = rounds.map { $0.marvel.databaseCPU / $0.reference.databaseCPU }.median
    }
}

extension SharedDatabase.Row {
    fileprivate init(medianOf rows: [SharedDatabase.Row]) {
        title = rows[0].title
        server = rows[0].server
        store = rows[0].store
        togglesPerSecond = rows.map(\.togglesPerSecond).median
        p50 = rows.map(\.p50).median
        p99 = rows.map(\.p99).median
        serverCPU = rows.map(\.serverCPU).median
        databaseCPU = rows.map(\.databaseCPU).median
    }
}
