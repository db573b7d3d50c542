import Foundation

/// The CPU times of calls as names, lists and connections grow.
struct Growth {
    private struct Row {
        let operation: String
        /// Names, lists or connections.
        let kind: String
        let sizes: [Int]
        /// Microseconds for each call, by size.
        let cpu: [Double]

        /// The ratio of a cost to that of the size before, for each factor of ten between the sizes.
        var slopes: [Double] {
            (1..<sizes.count).map { index in
                let decades = log10(Double(sizes[index]) / Double(sizes[index - 1]))
                return pow(cpu[index] / cpu[index - 1], 1 / decades)
            }
        }
    }

    private static let sizes = [1_000, 100_000, 1_000_000]
    private static let connectionCounts = [1, 100, 10_000]
    private static let openCalls = 100
    private static let watchers = 1_000
    private static let events = 20
    /// As many lists of a store as are toggled, far from each other.
    private static let toggledLists = 1_000

    private let rows: [Row]

    init(pace: Pace, in laboratory: Laboratory) throws {
        rows =
            try Self.names(pace, in: laboratory) + Self.lists(pace, in: laboratory)
            + Self.connections(pace, in: laboratory)
    }

    /// The figures for people.
    var table: String {
        var table = TextTable([
            "operation", "of", "small us", "middle us", "large us", "x10, to middle", "x10, to large",
        ])
        for row in rows {
            table.add([row.operation, row.kind] + (row.cpu + row.slopes).map { String(format: "%.2f", $0) })
        }
        return table.description
            + "\nCPU of the server for each call, or for each watcher and change, with 1,000, 100,000 and 1,000,000 names or"
            + "\nlists, or 1, 100 and 10,000 connections with 100 calls open. x10: the ratio of the costs for each factor of ten."
    }

    // MARK: Operations

    private static func names(_ pace: Pace, in laboratory: Laboratory) throws -> [Row] {
        let laboratories = try sizes.map { try laboratory.with(characters: $0) }
        let servers = try laboratories.map { laboratory in
            Progress.show("a catalog of \(laboratory.characterCount) characters")
            return (try laboratory.startMarvelServer(), laboratory)
        }
        return try [Workload.page, .suggest].map { workload in
            let costs = try rounds(pace, "\(workload), by names", servers) { server, laboratory in
                try cost(of: workload, Scenario.page.shape + pace.loadOptions, server, in: laboratory)
            }
            return Row(operation: "\(workload)", kind: "names", sizes: sizes, cpu: costs)
        }
    }

    private static func lists(_ pace: Pace, in laboratory: Laboratory) throws -> [Row] {
        let servers = try sizes.map { count in
            Progress.show("a store of \(count) lists")
            return (try laboratory.startMarvelServer(catalog: "synthetic:1000", lists: count), count)
        }
        // Toggles have request ids, which may come once: each server makes them once.
        let toggles = try servers.map { server, count in
            let lists = Array(stride(from: 0, to: count, by: count / toggledLists))
            let options = Scenario.page.shape + ["--calls", "\(pace.groupedToggles)"]
            return try cost(of: .toggle, lists: lists, options, server, in: laboratory)
        }
        let watches = try rounds(pace, "watches, by lists", servers) { server, _ in
            try laboratory.watch(server, watchers: watchers, toggles: events).cpuPerEvent
        }
        return [
            Row(operation: "toggle", kind: "lists", sizes: sizes, cpu: toggles),
            Row(operation: "watch", kind: "lists", sizes: sizes, cpu: watches),
        ]
    }

    private static func connections(_ pace: Pace, in laboratory: Laboratory) throws -> [Row] {
        let server = try laboratory.startMarvelServer()
        let settings = connectionCounts.map { (server, $0) }
        // So many calls that each connection makes one, and as many at once as one connection may have open.
        func options(_ count: Int) -> [String] {
            let (places, calls) = (count == 1 ? openCalls : 1, max(10_000, pace.groupedToggles))
            return [
                "--connections", "\(count)", "--in-flight", "\(places)", "--open", "\(openCalls)", "--calls",
                "\(calls)",
            ]
        }
        let calls = try [Workload.page, .suggest].map { workload in
            let costs = try rounds(pace, "\(workload), by connections", settings) { server, count in
                try cost(of: workload, options(count), server, in: laboratory)
            }
            return Row(operation: "\(workload)", kind: "connections", sizes: connectionCounts, cpu: costs)
        }
        let toggles = try connectionCounts.map { count in
            let server = try laboratory.startMarvelServer(catalog: "synthetic:1000")
            return try cost(of: .toggle, lists: Array(0..<toggledLists), options(count), server, in: laboratory)
        }
        let watches = try rounds(pace, "watches, by connections", settings) { server, count in
            try laboratory.watch(server, watchers: count, perConnection: 1, toggles: events).cpuPerEvent
        }
        return calls + [
            Row(operation: "toggle", kind: "connections", sizes: connectionCounts, cpu: toggles),
            Row(operation: "watch", kind: "connections", sizes: connectionCounts, cpu: watches),
        ]
    }

    private static func cost(
        of workload: Workload,
        lists: [Int] = Laboratory.lists,
        _ options: [String],
        _ server: RunningServer,
        in laboratory: Laboratory
    ) throws -> Double {
        Figures(try laboratory.load(server, workload, lists: lists, options)).cpu
    }

    /// Measures each setting in turn, round after round.
    ///
    /// - Returns: The median of each.
    private static func rounds<Setting>(
        _ pace: Pace,
        _ title: String,
        _ settings: [(RunningServer, Setting)],
        _ measure: (RunningServer, Setting) throws -> Double
    ) rethrows -> [Double] {
        Progress.show(title)
        let rounds = try (0..<pace.rounds).map { _ in try settings.map { try measure($0.0, $0.1) } }
        return settings.indices.map { index in rounds.map { $0[index] }.median }
    }
}
