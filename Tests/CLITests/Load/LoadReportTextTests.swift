import ProgramSupport
import TerminalUI
import Testing

@testable import Load
@testable import marvel

struct LoadReportTextTests {
    /// A mix of all operations with errors, thresholds, and calls that were missed.
    private var report: LoadReport {
        var recorder = Recorder(LoadOperation.allCases)
        for number in 0..<500 {
            let operation = LoadOperation.allCases[number % 5]
            let failure = Failure(code: "RESOURCE_EXHAUSTED", reason: "TOO_MANY_CALLS_AT_ONCE")
            recorder.record(
                CallOutcome(
                    operation: operation,
                    due: Nanoseconds(number) * 1_000_000,
                    latency: Nanoseconds(number * number) * 1_000,
                    firstPage: operation.hasFirstPage ? 1_000_000 : nil,
                    pages: 1,
                    bytes: 1_000,
                    verdict: number.isMultiple(of: 7) ? .failure(failure) : .success
                )
            )
        }
        recorder.pacing.missedStarts = 12_345
        var plan = LoadPlan(Mix("pages,stream,walk,toggle,favorites") ?? Mix(only: .pages))
        plan.model = .open(.constant(1_000))
        plan.duration = .seconds(1)
        let result = RunResult(recorder: recorder, elapsed: .seconds(1), ending: .completed, testerCPU: .seconds(1))
        return LoadReport(
            plan: plan,
            cores: 2,
            testerThreads: 2,
            startedAt: "2026-11-21T08:00:00Z",
            connectTime: .milliseconds(12),
            result: result,
            verdicts: ["p99<5ms", "rps>1"].compactMap(Threshold.init).map { Verdict($0, in: result) }
        )
    }

    @Test(arguments: [60, 80, 100, 120])
    func everyLineFitsTheTerminal(_ width: Int) {
        let lines = LoadReportText(report: report, style: ANSIStyle(isColored: false), lineWidth: width).lines
        for line in lines { #expect(line.displayWidth <= width, "\(line)") }
        let text = lines.joined(separator: "\n")
        for title in ["calls/s", "p50", "p99.99", "max", "walk, first page", "12,345 missed", "FAILS"] {
            // A phrase may be broken between its words.
            for word in title.split(separator: " ") { #expect(text.contains(word)) }
        }
    }

    @Test func aPipeGetsWholeTables() {
        let lines = LoadReportText(report: report, style: ANSIStyle(isColored: false), lineWidth: nil).lines
        #expect(lines.contains { $0.contains("calls/s") && $0.contains("p99.99") && $0.contains("max") })
    }

    @Test func verdictsHaveAColor() {
        let text = LoadReportText(report: report, style: ANSIStyle(isColored: true), lineWidth: nil).lines.joined(
            separator: "\n"
        )
        #expect(text.contains("\u{1B}[1;31mFAILS"))
        #expect(text.contains("\u{1B}[1;32mholds"))
    }
}
