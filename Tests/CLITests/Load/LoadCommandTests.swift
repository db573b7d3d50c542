import ArgumentParser
import ChildProcesses
import FakeChannel
import Foundation
import LoadTestServer
import ProgramSupport
import Terminal
import Testing
import WireMessages

@testable import marvel

/// Loads of the same machine, one after the other.
@Suite(.serialized) enum LoadTests {}

extension LoadTests {
    struct LoadCommandTests {
        @Test func everyUnaryPageIsCounted() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--total 50 --connections 3 --concurrency 4 --warmup 0 --json")
                #expect(run.status == .done)
                #expect(run.errors == "")
                #expect(run.number("calls") == 50)
                #expect(run.number("pages") == 50)
                #expect(run.number("failed") == 0)
                #expect(run.number("latencyMilliseconds.count") == 50)
                #expect(run.output.contains(#""model":"closed","ending":"completed""#))
                #expect(run.output.contains(#""firstPageMilliseconds":null"#))
                // One call of the probe's.
                #expect(stand.seen.searches.count == 51)
                #expect(stand.seen.searches.allSatisfy { $0.maxPages == 1 && $0.query == "sp" })
            }
        }

        @Test func onlyTheListsOfTheTestAreRemoved() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--mix toggle --lists 70 --total 90 --connections 2 --warmup 0 --json")
                #expect(run.status == .done)
                #expect(run.errors == "")
                let made = Set((1...70).map { "load-\($0)" }).subtracting([LoadTestServer.keptList])
                #expect(Set(stand.seen.deletions.map(\.list)) == made)
                #expect(stand.seen.deletions.count == made.count)
                #expect(stand.seen.toggles.allSatisfy { LoadTestServer.characters.contains($0.characterID) })
                #expect(
                    stand.seen.toggles.map(\.list).allSatisfy { made.contains($0) || $0 == LoadTestServer.keptList }
                )
                #expect(Set(stand.seen.toggles.map(\.requestID)).count == 90)
                _ = await stand.load("--mix pages=1,favorites=1 --total 20 --warmup 0")
                #expect(stand.seen.deletions.count == made.count, "a test without toggles makes none")
            }
        }

        /// No name in the report leaves open what a number is.
        @Test func namesInTheJSONHaveUnitsAndSettingsAreNumbers() async throws {
            try await LoadTestServer.run { stand in
                let rates = "--rps-start 200 --rps-end 400 --duration 100ms"
                let run = await stand.load("\(rates) --mix stream=3,favorites=1 --warmup 0 --json")
                for name in ["latency", "firstPage", "startDelay", "second", "asked"] {
                    #expect(!run.output.contains("\"\(name)\":"), "\(name)")
                }
                let timeline = try #require(run.output.split(separator: #""timeline":"#).last)
                #expect(timeline.hasPrefix(#"[{"startSeconds":"#))
                #expect(timeline.contains(#""p99Milliseconds":"#) && !timeline.contains(#""p99":"#))
                #expect(run.output.contains(#""mix":{"stream":3,"favorites":1}"#))
                let schedule = #"{"kind":"line","rpsStart":200.0,"rpsEnd":400.0,"seconds":0.1}"#
                #expect(run.output.contains(#""schedule":"# + schedule))
            }
        }

        @Test func aTestThatDoesNotStartLeavesNoFile() async throws {
            try await LoadTestServer.run { stand in
                let folder = try TemporaryFolder()
                let path = folder.path("load.html")
                let run = await stand.load("--query fail --total 20 --html \(path)")
                #expect(run.status.rawValue == 78)
                #expect(throws: InputFile.Failure.self) { try InputFile.read(path, maximum: 1) }
            }
        }

        @Test func queriesAreUsedInTurn() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("file", "spider\n\n  \nthor\nhulk\n")
            try await LoadTestServer.run { stand in
                _ = await stand.load("--query-file \(path) --query loki --total 8 --connections 1 --warmup 0")
                let queries = stand.seen.searches.dropFirst().map(\.query)
                #expect(Set(queries) == ["loki", "spider", "thor", "hulk"])
                #expect(queries.count { $0 == "thor" } == 2)
                #expect(Array(queries.prefix(4)) == Array(queries.suffix(4)))
            }
        }

        @Test func failuresAreCountedByCodeAndReasonAndNotSentAgain() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load(
                    "--query ok --query fail --total 20 --connections 1 --warmup 0 --json --threshold errors<0.1%"
                )
                #expect(run.status == .thresholdFailed)
                #expect(run.status.rawValue == 99)
                #expect(run.number("failed") == 10)
                #expect(run.number("errorRatio") == 0.5)
                #expect(run.output.contains(#"[{"code":"UNAVAILABLE","reason":"UPSTREAM_UNAVAILABLE","count":10}]"#))
                #expect(run.output.contains(#"{"threshold":"errors<0.1%","value":0.5,"unit":"ratio","holds":false}"#))
                #expect(stand.seen.searches.count == 21)
            }
        }

        @Test(arguments: [("first-page-p99<60s", 0), ("first-page-max<1ns", 99)])
        func firstPagesHaveTheirOwnThresholds(_ threshold: String, _ status: Int32) async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--mix pages=1,walk=1 --total 10 --warmup 0 --json --threshold \(threshold)")
                #expect(run.status.rawValue == status)
                #expect(run.output.contains(#""threshold":"\#(threshold)","value":"#))
            }
        }
    }
}

extension LoadTests {
    struct OpenLoopTests {
        @Test func callsStartOnScheduleAndTheModelIsReported() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--rps 2000 --total 40 --connections 3 --warmup 0 --json")
                #expect(run.status == .done)
                #expect(run.output.contains(#""model":"open""#))
                #expect(run.number("calls") == 40)
                #expect(run.number("pacing.missedStarts") == 0)
                #expect(run.number("pacing.startDelayMilliseconds.count") == 40)
                let text = await stand.load("--rps 2000 --total 40 --warmup 0").output
                #expect(
                    text.hasPrefix(
                        "Open model, 2,000 calls a second: calls start on schedule, and latency counts from"
                    )
                )
            }
        }

        @Test func missedStartsAreCountedAndReported() async throws {
            try await LoadTestServer.run { stand in
                // The second call holds the only place until long after the end.
                let options = "--query ok --query silent --connections 1 --concurrency 1 --timeout 400ms"
                let run = await stand.load("--rps 1000 --duration 100ms --warmup 0 --json \(options)")
                let (calls, missed) = (run.number("calls") ?? 0, run.number("pacing.missedStarts") ?? 0)
                #expect(missed > 0)
                #expect(calls + missed == 100)
                #expect(
                    run.output.contains("scheduled calls never started: all 1 slots for calls in flight were taken, ")
                )
            }
        }

        @Test func aTargetThatNoRateMeetsExitsWith99() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--find-limit p50<1ns --rps-start 8 --step-duration 250ms --warmup 0")
                #expect(run.status == .thresholdFailed)
                #expect(run.output.contains("No rate met p50<1ns."))
                #expect(run.output.contains("target rate"))
            }
        }
    }
}

extension LoadTests {
    struct LoadEndingTests {
        @Test func aTestThatIsStoppedReports() async throws {
            try await LoadTestServer.run { stand in
                let run = Task { await stand.load("--duration 1h --warmup 0 --json") }
                await stand.searches(20)
                run.cancel()
                let ended = await run.value
                #expect(ended.status == .interrupted)
                #expect(ended.output.contains(#""ending":"stopped""#))
                let calls = try #require(ended.number("calls"))
                #expect(calls > 0)
                #expect(ended.number("failed") == 0)
            }
        }

        @Test func aServerThatDiesIsReportedAndTheTestEnds() async throws {
            try await LoadTestServer.run { stand in
                let run = Task { await stand.load("--duration 1h --connections 2 --warmup 0 --json") }
                await stand.searches(20)
                await stand.stop()
                let ended = await run.value
                #expect(ended.status.rawValue == 78)
                #expect(ended.output.contains(#""ending":"server_lost""#))
                #expect(ended.output.contains(#""reason":"SERVER_UNREACHABLE""#))
                #expect(ended.number("connections.lost") == 2)
            }
        }

        @Test func aServerThatIsGoneAtTheEndOfAShortRunIsReported() async throws {
            try await LoadTestServer.run { stand in
                // The second call waits until the server has gone; two more find none.
                let options = "--query ok --query ok --query silent --connections 1 --timeout 60s --warmup 0 --json"
                let run = Task { await stand.load("--total 4 \(options)") }
                await stand.searches(3)
                await stand.stop()
                let ended = await run.value
                #expect(ended.status.rawValue == 78)
                #expect(ended.output.contains(#""ending":"server_lost""#))
                #expect(ended.output.contains("75.00 % of the calls failed"))
                #expect(ended.number("succeeded") == 1)
                #expect(ended.number("pages") == 1)
            }
        }

        @Test func aMissingServerIsReportedImmediately() async throws {
            try await LoadTestServer.run { stand in
                await stand.stop()
                let run = await stand.load("--total 1")
                #expect(run.status.rawValue == 78)
                #expect(run.errors.hasPrefix("Error: No server answers at 127.0.0.1:"))
                #expect(run.output == "")
            }
        }

        @Test func refusedConnectionsAreReported() async throws {
            try await LoadTestServer.run(maximumConnections: 3) { stand in
                let run = await stand.load("--total 1 --connections 20")
                #expect(run.status == .failed)
                #expect(run.errors.contains(" of 20 connections to 127.0.0.1:"))
                #expect(run.errors.contains("closed it immediately"))
            }
        }

        @Test func progressIsOneLineThatIsErasedAtTheEnd() async throws {
            try await LoadTestServer.run { stand in
                let errors = MemoryOutput(columns: 80)
                _ = await stand.load("--total 10 --warmup 0", errors: errors)
                #expect(errors.text.contains("Connecting…"))
                #expect(errors.text.contains("of 10 calls"))
                #expect(errors.text.hasSuffix("\r\u{1B}[K"))
                #expect(!errors.text.contains("\n"))
            }
        }
    }
}

extension LoadTests {
    struct ReportFileTests {
        @Test func filesAreWritten() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("file")
            try await LoadTestServer.run { stand in
                let run = await stand.load("--total 20 --warmup 0 --html \(path)")
                #expect(run.status == .done)
                let html = String(decoding: try InputFile.read(path, maximum: 1 << 20), as: UTF8.self)
                #expect(html.hasPrefix("<!DOCTYPE html>"))
            }
        }

        @Test(arguments: [
            ("--html", "<!DOCTYPE html>"), ("--hgrm", "       Value"),
        ])
        func aDashIsStandardOutputAndTheReportGoesToStandardError(_ option: String, _ beginning: String) async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--total 20 --warmup 0 \(option) -")
                #expect(run.status == .done)
                #expect(run.output.hasPrefix(beginning))
                #expect(!run.output.contains("Closed model, "))
                #expect(run.errors.hasPrefix("Closed model: "))
                #expect(run.errors.contains("20 in "))
            }
        }

        @Test(
            arguments: [
                (.readerGone, 99), (.failed(reason: "No space left on device"), 1),
            ] as [(OutputError, Int32)]
        )
        func aFailedStandardOutputLeavesTheFiles(_ failure: OutputError, _ status: Int32) async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("file")
            try await LoadTestServer.run { stand in
                let output = MemoryOutput(writes: 0, failure: failure)
                let options = "--total 20 --warmup 0 --threshold p50<1ns --hgrm \(path)"
                let run = await stand.load(options, output: output)
                #expect(run.status.rawValue == status)
                let hgrm = try InputFile.read(path, maximum: 8)
                #expect(hgrm.starts(with: "       V".utf8))
            }
        }

        @Test func aFileThatFailsLeavesTheOthers() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("file")
            try await LoadTestServer.run { stand in
                let run = await stand.load("--total 20 --warmup 0 --html /dev/full --hgrm \(path)")
                #expect(run.status == .failed)
                #expect(run.errors.contains("/dev/full cannot be written: "))
                #expect(run.output.hasPrefix("Closed model: "))
                let hgrm = try InputFile.read(path, maximum: 8)
                #expect(hgrm.starts(with: "       V".utf8))
            }
        }

        @Test func anUnwritableFileIsReportedBeforeTheTest() async throws {
            try await LoadTestServer.run { stand in
                let run = await stand.load("--total 20 --html /nowhere/report.html")
                #expect(run.status == .failed)
                #expect(run.errors.contains("/nowhere/report.html cannot be written: No such file or directory"))
                #expect(stand.seen.searches.isEmpty)
            }
        }
    }
}

struct LoadUsageTests {
    @Test(arguments: [
        ("/nowhere/queries", "cannot read /nowhere/queries: No such file or directory"),
        ("/dev/null", "/dev/null contains no query"),
    ])
    func unreadableQueriesAreReported(_ path: String, _ reason: String) async {
        let server = FakeServer()
        let run = await Run("load --query-file \(path)", server)
        #expect(run.status == .failed)
        #expect(run.errors == "Error: \(reason)\n")
        #expect(server.calls.isEmpty)
    }

    @Test(arguments: [("0", Duration.zero), ("0s", .zero), ("250ms", .milliseconds(250))])
    func theWarmUpMayBeZero(_ text: String, _ duration: Duration) throws {
        #expect(try PaceOptions.parse(["--warmup", text]).warmup == duration)
    }
}
