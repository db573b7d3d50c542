import RPCCore
import Testing

@testable import MarvelClient

/// The failures of a watch, one after the other, and what its reader learns.
struct WatchFailuresTests {
    typealias Decision = WatchFailures.Decision

    static let lost = RPCError(.unavailable, reason: .connectionLost, "killed")
    static let hung = RPCError(.unavailable, reason: .connectionLost, "silent", metadata: ["unresponsive": "true"])
    static let draining = RPCError(.unavailable, reason: .draining, "stops", details: [.retryInfo(.seconds(2))])
    static let unreachable = RPCError(
        .unavailable,
        reason: .serverUnreachable,
        "nobody",
        details: [.retryInfo(.seconds(7))]
    )
    static let soon = RPCError(
        .unavailable,
        reason: .serverUnreachable,
        "nobody yet",
        details: [.retryInfo(.milliseconds(900))]
    )
    static let storeGone = RPCError(
        .unavailable,
        reason: .storeUnavailable,
        "later",
        details: [.retryInfo(.seconds(1))]
    )

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasBegun = true
        let steps: [(RPCError, Decision)]
    }

    static let stories: [Story] = [
        Story(
            testDescription: "servers that end one after the other are hidden, until they are too many",
            steps: [
                (lost, .resume(after: .milliseconds(200))), (draining, .resume(after: .milliseconds(400))),
                (lost, .resume(after: .milliseconds(800))), (lost, .report(retryDelay: .milliseconds(1_600))),
                (draining, .report(retryDelay: .milliseconds(3_200))),
                (lost, .report(retryDelay: .milliseconds(6_400))), (lost, .report(retryDelay: .milliseconds(12_800))),
                (lost, .report(retryDelay: .seconds(15))),
            ]
        ),
        Story(
            testDescription: "a server that has hung is reported",
            steps: [(hung, .report(retryDelay: .milliseconds(200))), (lost, .report(retryDelay: .milliseconds(400)))]
        ),
        Story(
            testDescription: "a server that refuses is reported, and so is all after it",
            steps: [
                (storeGone, .report(retryDelay: .seconds(1))), (lost, .report(retryDelay: .milliseconds(400))),
                (unreachable, .report(retryDelay: .seconds(7))),
            ]
        ),
        Story(
            testDescription: "a server's delay ends after five minutes",
            steps: [
                (
                    RPCError(.unavailable, "next year", details: [.retryInfo(.seconds(31_536_000))]),
                    .report(retryDelay: .seconds(300))
                )
            ]
        ),
        Story(
            testDescription: "without another server the reader gets the error",
            steps: [
                (lost, .resume(after: .milliseconds(200))), (unreachable, .report(retryDelay: .seconds(7))),
                (lost, .report(retryDelay: .milliseconds(800))),
            ]
        ),
        Story(
            testDescription: "servers that may be tried again within a second are waited for",
            steps: [
                (lost, .resume(after: .milliseconds(200))), (soon, .resume(after: .milliseconds(900))),
                (lost, .resume(after: .milliseconds(800))), (soon, .report(retryDelay: .milliseconds(1_600))),
            ]
        ),
        Story(
            testDescription: "a reader without an event gets every error",
            hasBegun: false,
            steps: [(lost, .report(retryDelay: .milliseconds(200))), (draining, .report(retryDelay: .seconds(2)))]
        ),
    ]

    @Test(arguments: stories)
    func eachFailureIsHiddenOrReported(_ story: Story) {
        var failures = WatchFailures()
        #expect(!failures.areHidden)
        for (number, (error, expected)) in story.steps.enumerated() {
            let decision = failures.decide(error, hasBegun: story.hasBegun, random: 1)
            #expect(decision == expected, "step \(number)")
            if case .resume = decision { #expect(failures.areHidden) } else { #expect(!failures.areHidden) }
        }
    }
}
