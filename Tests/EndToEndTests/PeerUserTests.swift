import ChildProcesses
import Foundation
import Testing

/// Callers at a unix socket who are another user of the machine.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled("Only root can run programs as another user, which has to be able to read them.") {
        await OtherUser.canRunPrograms
    }
)
struct PeerUserTests {
    /// The status of a call that failed with UNAUTHENTICATED, and with PERMISSION_DENIED.
    private static let (unauthenticated, denied): (Int32, Int32) = (64 + 16, 64 + 7)

    /// Runs a server at a unix socket that every user may open.
    private func run(
        _ arguments: [String],
        _ body: (_ stand: Stand, _ socket: String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path("socket")
        try await Stand.run(serverArguments: ["--framed", "unix:\(socket)"] + arguments, folder: folder) {
            stand in
            try await stand.server.waitForError(containing: socket)
            for (path, mode) in [(folder.url.path, 0o711), (socket, 0o777)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            try await body(stand, "unix:\(socket)")
        }
    }

    private func call(_ socket: String, _ arguments: String...) async throws -> Ended {
        try await OtherUser.marvel(["--server", socket] + arguments)
    }

    /// Whoever may open the socket was let in by its mode.
    @Test func anyUserMayDoEverythingWhereNoneIsNamed() async throws {
        try await run([]) { _, socket in
            try await succeeded(call(socket, "toggle", "1009610", "--save"))
        }
    }

    @Test func aNamedUserHasTheScopesOfItsRecord() async throws {
        try await run(["--set", "access.peer-principal=65534=web"]) { stand, socket in
            let nothing = try await call(socket, "favorites")
            #expect(nothing.status == Self.denied, "\(nothing.errors)")
            let file = stand.folder.path("tokens.json")
            let create = ["token", "create", "web", "--name-only", "--scope", "lists:read:*", "--tokens", file]
            try await succeeded(RunningProgram.run("marvel-server", create))
            try await stand.server.waitForError(containing: "\"message\":\"tokens loaded\",\"count\":1")
            try await succeeded(call(socket, "favorites"))
            let saved = try await call(socket, "toggle", "1009610", "--save")
            #expect(saved.status == Self.denied)
            #expect(saved.errors.contains("web lacks lists:write:default."), "\(saved.errors)")
            // Root of this machine, as this test is, may do everything.
            try await succeeded(RunningProgram.run("marvel", ["--server", socket, "toggle", "1009610", "--save"]))
        }
    }

    @Test func anotherUserNeedsATokenWhereOneIsNamed() async throws {
        try await run(["--set", "access.peer-principal=65533=web"]) { _, socket in
            let stranger = try await call(socket, "favorites")
            #expect(stranger.status == Self.unauthenticated)
            #expect(stranger.errors.contains("A token is needed. Set MARVEL_TOKEN"), "\(stranger.errors)")
            try await succeeded(RunningProgram.run("marvel", ["--server", socket, "favorites"]))
        }
    }
}

/// A user of this machine other than root, who is nobody's.
enum OtherUser {
    static let id: uid_t = 65_534
    static let setpriv = "/usr/bin/setpriv"
    static let options = ["--reuid", "\(id)", "--regid", "\(id)", "--clear-groups"]

    /// Whether the client runs as this user.
    static var canRunPrograms: Bool {
        get async {
            guard geteuid() == 0 else { return false }
            let run = try? await marvel(["--version"])
            return run?.status == 0
        }
    }

    /// Runs the client as this user.
    static func marvel(_ arguments: [String]) async throws -> Ended {
        let program = RunningProgram.path("marvel")
        return try await RunningProgram.run(setpriv, options + [program] + arguments)
    }
}
