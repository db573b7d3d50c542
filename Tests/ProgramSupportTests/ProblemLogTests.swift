import Logging
import Synchronization
import Testing

@testable import ProgramSupport

/// A problem that comes with every call fills no log.
struct ProblemLogTests {
    private let lines = Lines()

    private func log(interval: Duration) -> ProblemLog {
        let logger = Logger(label: "test") { [lines] label in
            LineLogHandler(.json, label: label, write: { lines.append($0) })
        }
        return ProblemLog("store", logger, interval: interval)
    }

    @Test func aProblemThatComesHundredsOfTimesIsOneLine() {
        let log = log(interval: .seconds(3_600))
        for _ in 0..<300 { log.report("disk is full") }
        log.report("another problem")
        #expect(lines.text.split(separator: "\n").count == 2)
        #expect(lines.text.hasPrefix(#"{"message":"store","problem":"disk is full","level":"error""#))
    }

    @Test func theNextLineSaysHowOftenItCame() {
        let log = log(interval: .zero)
        log.report("disk is full")
        log.report("disk is full")
        #expect(!lines.text.contains("repeats"), "each was logged")
        let patient = self.log(interval: .milliseconds(20))
        for _ in 0..<3 { patient.report("disk is slow") }
        while !lines.text.contains(#""repeats""#) { patient.report("disk is slow") }
    }
}
