import Foundation

/// The number of allocations of marvel-server for each answer, at 16x16: calls of malloc and its like.
struct Allocations: Encodable {
    let perPage: Double
    let perStreamedPage: Double

    init(in laboratory: Laboratory) throws {
        Progress.show("allocations")
        let file = laboratory.folder.appendingPathComponent("allocations").path
        let server = try laboratory.startMarvelServer(
            environment: ["LD_PRELOAD": laboratory.programs.mallocCounter, "MALLOC_COUNT_FILE": file]
        )
        func perAnswer(_ scenario: Scenario) throws -> Double {
            let options = scenario.loadOptions + ["--warmup", "0.3", "--seconds", "0.5", "--allocations", file]
            let report = try laboratory.load(server, options)
            return Double(report.allocations ?? 0) / Double(report.messages)
        }
        perPage = try perAnswer(.page)
        perStreamedPage = try perAnswer(.stream)
    }
}
