import FakeChannel
import MarvelClient
import Testing
import WireMessages

@testable import marvel

private let here = [ServerEndpoint(.default)]

struct ErrorTextTests {
    private static func error(
        _ code: StatusCode,
        _ reason: ErrorReason?,
        _ message: String,
        _ origin: RPCError.Origin = .peer,
        retryAfter delay: Duration? = nil
    ) -> RPCError {
        let info = reason.map { ErrorDetail.errorInfo(ErrorInfo(reason: $0)) }
        let details = [info, delay.map { .retryInfo($0) }].compactMap(\.self)
        return RPCError(code, message, details: details, origin: origin)
    }

    @Test(arguments: [
        (
            error(.unavailable, .serverUnreachable, "no server answers at 127.0.0.1:6160", .local),
            "No server answers at 127.0.0.1:6160. Start one with `marvel-server`, or choose another with --server."
        ),
        (
            error(.unavailable, .connectionLost, "the connection was lost", .local),
            "The connection to 127.0.0.1:6160 was lost. Try again; if it fails again, check the server."
        ),
        (
            error(.unavailable, .draining, "the server is stopping", retryAfter: .milliseconds(1_500)),
            "The server is stopping. Try again in 2 s."
        ),
        (
            error(.unavailable, .storeOutcomeUnknown, "it is unknown whether it was made", retryAfter: .seconds(1)),
            "It is unknown whether it was made."
        ),
        (
            error(.deadlineExceeded, nil, "deadline exceeded"),
            "127.0.0.1:6160 did not answer within the timeout. Increase it, for example with --timeout 30s."
        ),
        (error(.cancelled, nil, "the caller cancelled the call", .local), "Cancelled."),
        (
            error(.notFound, .characterNotFound, "no character has the id 5"),
            "No character has the id 5. `marvel search NAME` finds ids."
        ),
        (
            error(.invalidArgument, .queryTooShort, "the query has 1 letter; it needs at least 2."),
            "The query has 1 letter; it needs at least 2."
        ),
        (
            error(.internalError, nil, "oh\u{1B}[31m no!"),
            "Oh\u{FFFD}[31m no! This is an error in the server: see its log."
        ),
        (
            error(.internalError, .responseInvalid, "the answer cannot be read", .local),
            "The answer cannot be read. Check that a marvel-server of this version listens at \(here[0])."
        ),
        (
            error(.unimplemented, .matchUnsupported, "this catalog does not support match 3: use PREFIX (0)"),
            "This catalog does not support match 3: use PREFIX (0). In `marvel search` this is --match prefix, in `marvel browse` Ctrl-T."
        ),
        (error(.aborted, nil, ""), "The server answered ABORTED and gave no reason."),
    ])
    func explainsTheErrorAndTheRemedy(_ error: RPCError, _ text: String) {
        #expect(ErrorText(error: error, servers: here).text == text)
    }

    @Test func aTimeoutAfterAnAnswerDoesNotBlameTheServer() {
        let error = RPCError(.deadlineExceeded, "deadline exceeded", origin: .local)
        let text = ErrorText(error: error, servers: here, hasAnswered: true).text
        #expect(text == "The timeout ended the command. Increase it, for example with --timeout 30s.")
    }

    @Test func theNameOfTheCallerKeepsItsCase() {
        let error = RPCError(
            .permissionDenied,
            reason: .scopeMissing,
            "phone lacks lists:write:team.",
            metadata: ["principal": "phone", "scope": "lists:write:team"]
        )
        let text = "phone lacks lists:write:team. Use another token, or ask the operator for one with this scope."
        #expect(ErrorText(error: error, servers: here).text == text)
    }

    @Test func aHostWithoutAnAddressIsNamed() async {
        // The resolver refuses an empty label without asking anybody.
        let (output, errors) = (MemoryOutput(), MemoryOutput())
        let program = Program(environment: Environment([:]), output: output, errors: errors) { servers, _, _, _ in
            MarvelClient(servers: servers, retries: false)
        }
        let status = await program.run(["favorites", "--server", "no..where:6160"])
        #expect(status.rawValue == 78)
        #expect(errors.text.hasPrefix("Error: The host no..where has no address. Check the name in --server"))
    }

    @Test func verboseOutputHasCodeReasonAndDetails() {
        let error = RPCError(.notFound, reason: .characterNotFound, "no such id", metadata: ["id": "5", "a": "b"])
        let text = ErrorText(error: error, servers: here, isVerbose: true).text
        #expect(text == "No such id. `marvel search NAME` finds ids. [NOT_FOUND, CHARACTER_NOT_FOUND, a=b, id=5]")
    }

    @Test(arguments: [
        (RPCError(.cancelled, ""), true),
        (RPCError(.deadlineExceeded, ""), true),
        (RPCError(.unavailable, reason: .connectionLost, ""), true),
        (RPCError(.unavailable, reason: .serverUnreachable, "", metadata: ["reached_server": "no"]), false),
        (RPCError(.unavailable, "", origin: .peer), false),
        (RPCError(.unavailable, reason: .storeOutcomeUnknown, "", origin: .peer), true),
        (RPCError(.unavailable, reason: .editsOutcomeUnknown, "", origin: .peer), true),
        (RPCError(.unavailable, reason: .storeUnavailable, "", origin: .peer), false),
        (RPCError(.notFound, "", origin: .peer), false),
    ])
    func aChangeWithUnknownOutcomeIsReported(_ error: RPCError, _ isToldOf: Bool) {
        let text = ErrorText(error: error, servers: here, changesSeenWith: "marvel favorites").text
        #expect(text.hasSuffix("The change may have been made anyway: see `marvel favorites`.") == isToldOf)
    }
}

struct HealthStatusTests {
    @Test func theStatusDoesNotNeedAReader() async {
        let server = FakeServer(["Check": [.message(HealthCheckResponse(status: .notServing))]])
        #expect(await Run("health", server, output: MemoryOutput(writes: 0)).status == .failed)
    }
}

struct CancelledRunTests {
    @Test(arguments: ["search spider", "show 5", "toggle 5", "favorites", "health"])
    func aCancelledRunReportsItAndEnds(_ line: String) async {
        let server = FakeServer([
            "SearchCharacters": [.silence], "GetCharacter": [.silence], "ToggleFavorite": [.silence],
            "ListFavorites": [.silence], "Check": [.silence],
        ])
        let task = Task { await Run(line, server) }
        task.cancel()
        let run = await task.value
        #expect(run.errors.hasPrefix("Cancelled."))
        #expect(server.isShutDown)
    }
}
