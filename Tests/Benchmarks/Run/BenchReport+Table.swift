import Foundation

/// The report for people.
extension BenchReport: CustomStringConvertible {
    var description: String {
        let parts = [
            introduction, rows.table, nameSearches.table, keyStrokes.table, tls.table,
            sharedDatabase?.table ?? "PostgreSQL is not installed: nothing was measured with it", otherFigures,
            bars.table,
        ]
        return parts.joined(separator: "\n\n")
    }

    private var introduction: String {
        let cores = machine.cores > 1 ? "Servers run on one core, the load on another" : "All share the only core"
        return """
            \(machine.date.formatted(.iso8601)), \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel), \
            load average before \(String(format: "%.1f", machine.loadBefore))
            Each figure is the median of \(pace.rounds) rounds of \(pace.seconds) s, each after \(pace.warmup) s of \
            warm-up. A round measures every server
            in turn (A B C, A B C, ...), so that a machine that is slow for a while is slow for all; a ratio is the \
            median of the rounds' ratios.
            \(cores), where "one core" says nothing else. A page is 10 of the characters
            of \(Laboratory.catalog). A stream's answers are its \(Workload.pagesPerStream) pages, its latency is that \
            of all of them. NxM: N connections with M calls in flight each.
            """
    }

    private var otherFigures: String {
        var table = TextTable(["beside these", "of", "measured"])
        let format = "%.1f"
        table.add(["an idle connection, after Hello", "marvel-server", text(format, idleMemory.afterHello, "KiB")])
        table.add(["  after Hello and a page", "marvel-server", text(format, idleMemory.afterPage, "KiB")])
        table.add(["", "C", text(format, idleMemory.bareAfterPage, "KiB")])
        table.add(["", "marvel-server, gRPC", text(format, idleMemory.overGRPCAfterPage, "KiB")])
        table.add(["", "gRPC C++", text(format, idleMemory.grpcAfterPage, "KiB")])
        table.add(["allocations for a page", "marvel-server", text("%.2f", allocations.perPage)])
        table.add(["  for a streamed page", "", text("%.2f", allocations.perStreamedPage)])
        table.add(["resident before full load, and after", "", text(format, memoryGrowth.before, "MB")])
        table.add(["", "", text(format, memoryGrowth.after, "MB")])
        table.add(["start to the first answer, built-in catalog", "", text(format, startUp.median, "ms")])
        table.add(["  the 99th percentile", "", text(format, startUp.p99, "ms")])
        table.add(["  CPU", "", text(format, startUp.cpu, "ms")])
        table.add(["  resident a second later", "", text(format, startUp.idleResident, "MB")])
        table.add([
            "a change to the last of 10,000 watchers", "marvel-server", text(format, watchers.medianDelay, "ms"),
        ])
        table.add(["  the 99th percentile", "", text(format, watchers.delayP99, "ms")])
        table.add(["  the longest", "", text(format, watchers.longestDelay, "ms")])
        table.add(["  events a second", "", text("%.0f", watchers.eventsPerSecond)])
        table.add(["  CPU for each", "", text("%.2f", watchers.cpuPerEvent, "us")])
        table.add(["  memory for each watcher", "", text(format, watchers.residentBytesPerWatcher / 1024, "KiB")])
        return table.description
    }

    private func text(_ format: String, _ value: Double, _ unit: String = "") -> String {
        Bar.text(format, value, unit)
    }
}
