import ChildProcesses
import Foundation
import Testing

/// Tokens from their creation to their revocation, by the programs.
@Suite(.timeLimit(.minutes(10)))
struct TokenJourneyTests {
    /// The status of a call that failed with UNAUTHENTICATED, and with PERMISSION_DENIED.
    private static let (unauthenticated, denied): (Int32, Int32) = (64 + 16, 64 + 7)

    private func token(_ stand: Stand, _ arguments: String...) async throws -> Ended {
        let file = ["--tokens", stand.folder.path("tokens.json")]
        return try await RunningProgram.run("marvel-server", ["token"] + arguments + file)
    }

    private func marvel(_ stand: Stand, _ token: String, _ arguments: String...) async throws -> Ended {
        try await RunningProgram.run(
            "marvel",
            ["--server", stand.address] + arguments,
            environment: ["MARVEL_TOKEN": token]
        )
    }

    @Test func tokensAreAddedAndRevokedWhileTheServerRuns() async throws {
        var secret = ""
        var log = ""
        try await Stand.run(serverArguments: ["--require-tokens"]) { stand in
            let stranger = try await stand.marvel("favorites")
            #expect(stranger.status == Self.unauthenticated)
            #expect(stranger.errors.contains("A token is needed. Set MARVEL_TOKEN"), "\(stranger.errors)")

            let created = try await succeeded(
                token(stand, "create", "reader", "--scope", "lists:read:*", "--expires", "90d")
            )
            secret = created.output.trimmingCharacters(in: .newlines)
            #expect(secret.count == 54 && secret.hasPrefix("mrv1_"))
            try await stand.server.waitForError(containing: "\"message\":\"tokens loaded\",\"count\":1")
            try await succeeded(marvel(stand, secret, "favorites"))
            let toggle = try await marvel(stand, secret, "toggle", "1009610", "--save")
            #expect(toggle.status == Self.denied)
            #expect(toggle.errors.contains("reader lacks lists:write:default."), "\(toggle.errors)")

            // A file that others may read is refused, and the token stays.
            let file = stand.folder.path("tokens.json")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            try await stand.server.waitForError(containing: "tokens not loaded, still using the old ones")
            #expect(stand.server.errorText.contains("has mode 0644, expected 0600"))
            #expect(try await marvel(stand, secret, "favorites").status == 0)
            // It is replaced by a removal and a move.
            try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
            try await stand.server.waitForError(containing: "No such file or directory")
            #expect(try await marvel(stand, secret, "favorites").status == 0)
            try FileManager.default.moveItem(atPath: file + ".moved", toPath: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)

            let shown = try await token(stand, "list")
            #expect(shown.output.contains("reader") && !shown.output.contains(secret.dropFirst(5)))
            let id = try #require(
                shown.output.split(separator: "\n").last?.split(separator: " ").first.map(String.init)
            )
            let watch = try await watch(stand, secret)
            let revoked = try await token(stand, "revoke", id)
            #expect(revoked.output == "revoked \(id) of reader\n", "\(revoked.errors)")
            #expect(await watch.waitForEnd() == Self.unauthenticated, "\(watch.errorText)")
            #expect(try await marvel(stand, secret, "favorites").status == Self.unauthenticated)
            #expect(try await token(stand, "revoke", id).status == 78)
            log = stand.server.errorText
        }
        #expect(!secret.isEmpty && !log.contains(secret.dropFirst(5).prefix(16)))
    }

    /// Begins a watch, and waits for its first event.
    private func watch(_ stand: Stand, _ secret: String) async throws -> RunningProgram {
        let watch = try RunningProgram(
            "marvel",
            ["--server", stand.address, "watch", "--json"],
            environment: ["MARVEL_TOKEN": secret]
        )
        try await wait(for: "a snapshot") { watch.outputText.contains("snapshot") }
        return watch
    }

    /// The file does not change after the failed read: the server has to repeat it.
    @Test func aTokenIsRevokedEvenIfTheServerHadNoDescriptorToReadTheFile() async throws {
        try await Stand.run(serverArguments: ["--require-tokens"]) { stand in
            let created = try await succeeded(token(stand, "create", "reader", "--scope", "lists:read:*"))
            let secret = created.output.trimmingCharacters(in: .newlines)
            try await stand.server.waitForError(containing: "\"message\":\"tokens loaded\",\"count\":1")
            let id = try #require(
                try await token(stand, "list").output.split(separator: "\n").last?.split(separator: " ").first
            )
            let watch = try await watch(stand, secret)
            try await limitFiles(of: stand.server, to: 3)
            try await succeeded(token(stand, "revoke", String(id)))
            try await stand.server.waitForError(containing: "tokens not loaded, still using the old ones")
            #expect(stand.server.errorText.contains("Too many open files"))
            try await limitFiles(of: stand.server, to: 1_024)
            #expect(await watch.waitForEnd() == Self.unauthenticated, "\(watch.errorText)")
        }
    }

    private func limitFiles(of server: RunningProgram, to count: Int) async throws {
        let arguments = ["--pid", "\(server.processID)", "--nofile=\(count):"]
        try await succeeded(RunningProgram.run("/usr/bin/prlimit", arguments))
    }

    @Test(arguments: [[], ["--json"]])
    func listingTheTokensOfAMissingFileFails(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("tokens.json")
        let run = try await RunningProgram.run("marvel-server", ["token", "list", "--tokens", file] + arguments)
        #expect(run.status == 78)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("marvel-server: no token file at \(file)"), "\(run.errors)")
    }

    @Test(arguments: [
        ["create", "reader"], ["create", "a b", "--scope", "admin"], ["create", "a", "--scope", "catalog:all"],
        ["create", "a", "--scope", "admin", "--expires", "90"], ["create", "a", "--scope", "admin", "--expires", "0d"],
    ])
    func aMistakeInACommandMakesNoToken(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("tokens.json")
        let run = try await RunningProgram.run("marvel-server", ["token"] + arguments + ["--tokens", file])
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
