import Foundation

/// The report for people.
extension BenchReport: CustomStringConvertible {
    var description: String {
        let parts = [
            introduction, rows.table, nameSearches.table, keyStrokes.table,
            sharedDatabase?.table ?? "PostgreSQL is not installed: nothing was measured with it",
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
            of synthetic:100000. A stream's answers are its \(Workload.pagesPerStream) pages, its latency is that \
            of all of them. NxM: N connections with M calls in flight each.
            """
    }
}
