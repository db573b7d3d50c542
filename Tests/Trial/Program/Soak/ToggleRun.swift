import Catalog
import MarvelClient
import TrialChecks

/// One caller that toggles one character after the other.
struct ToggleRun {
    /// Calls at either end that are compared.
    static let comparedCount = 10_000

    let server: ServerProcess
    let count: Int
    let store: String

    /// - Returns: What is wrong; empty if nothing is.
    func run() async throws -> [String] {
        let client = MarvelClient(servers: [server.address], retries: false)
        let ids = BuiltInCatalog.characters().prefix(12).map(\.id)
        let usage = try Usage(server)
        var figures = Figures()
        var first: [Double] = []
        var last: [Double] = []
        let compared = min(ToggleRun.comparedCount, count / 4)
        let begin = ContinuousClock.now
        for tenth in 0..<Figures.tenthCount {
            let range = count * tenth / Figures.tenthCount..<count * (tenth + 1) / Figures.tenthCount
            let processorTime = try usage.processorTime()
            for number in range {
                let sent = ContinuousClock.now
                let result = try await client.toggleFavorite(ids[number % ids.count], desired: .saved)
                let latency = (ContinuousClock.now - sent) / .microseconds(1)
                figures.add(latency, to: Metric("toggle", unit: "us"), in: tenth)
                guard result.revision == Int64(number + 1) else {
                    return ["toggle \(number + 1) was answered with revision \(result.revision)"]
                }
                if number < compared { first.append(latency) }
                if number >= count - compared { last.append(latency) }
            }
            let spent = try usage.processorTime() - processorTime
            figures.add(spent / Double(range.count), to: Metric("processor", unit: "us"), in: tenth)
            for (name, bytes) in try sizes(usage) {
                figures.add(Double(bytes) / 1_000_000, to: Metric(name, unit: "MB"), in: tenth)
            }
            show(figures.table())
        }
        await client.shutdown()
        print(figures.table())
        let (before, after) = (medianOf(first) ?? 0, medianOf(last) ?? 0)
        let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
        let ends = "p50 of the first \(compared) \(short(before)) us, of the last \(short(after)) us"
        print("\(count) toggles in \(seconds) s; \(ends)")
        return after <= 1.2 * before
            ? [] : ["the last \(compared) toggles took \(short(after / before)) times the first"]
    }

    private func sizes(_ usage: Usage) throws -> [(String, Int)] {
        [
            ("memory", try usage.residentBytes()), ("store", fileSize(store)),
            ("log of the store", fileSize(store + "-wal")),
        ]
    }
}
