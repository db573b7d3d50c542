/// Whether memory stays what it is while the server works as hard as it can.
struct MemoryGrowth: Encodable {
    let seconds: Double
    /// Resident, in megabytes, when the server had warmed up, and after the time.
    let before: Double
    let after: Double
    let percent: Double

    init(pace: Pace, in laboratory: Laboratory) throws {
        Progress.show("memory over \(Int(pace.growthSeconds)) s of full load")
        let options = ["--seconds", "\(pace.growthSeconds)", "--warmup", "\(pace.growthWarmup)"]
        let report = try laboratory.load(laboratory.startMarvelServer(), .page, Scenario.page.shape + options)
        seconds = report.seconds
        before = Double(report.residentBytesBefore) / 1e6
        after = Double(report.residentBytesAfter) / 1e6
        percent = (after / before - 1) * 100
    }

    var bar: Bar { Bar("memory: growth over \(Int(seconds)) s of full load", percent, atMost: 5, "%") }
}
