import ChildProcesses
import Foundation
import Testing

/// The settings of the server from files, the environment and the command line, and their reload.
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
    private func config(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
        try await RunningProgram.run("marvel-server", ["config"] + arguments, environment: environment)
    }

    @Test func everySettingHasItsOwnNames() async throws {
        let table = try await config("--reference").output.split(separator: "\n").dropFirst(2).map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        #expect(table.count > 30)
        let keys = table.map { $0[0] }
        #expect(Set(keys).count == keys.count)
        #expect(Set(table.map { $0[1] }).count == keys.count)
        for key in keys {
            #expect(!keys.contains { $0.hasPrefix(key + ".") }, "\(key) is a value, and cannot be a group")
        }
    }

    @Test func aValueComesFromTheSourceThatTakesPrecedence() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("s.yaml")
        try "capacity: 7\nlimits:\n  max-streams: 64\n".write(toFile: file, atomically: true, encoding: .utf8)
        let environment = ["MARVEL_CONFIG": file, "MARVEL_MAX_STREAMS": "32", "MARVEL_PRIVATE_KEY": "MARKER"]
        let shown = try await succeeded(config("--capacity", "9", environment: environment))
        for line in [
            "\ncapacity: 9  # --capacity\n", "\n  max-streams: 32  # MARVEL_MAX_STREAMS\n",
            "\n#max-lists: 100000  # default\n", "environment: MARVEL_CONFIG, MARVEL_PRIVATE_KEY\n",
        ] {
            #expect(shown.output.contains(line), "\(line) in \(shown.output)")
        }
        // The output is a valid file with the same values.
        try shown.output.write(toFile: file, atomically: true, encoding: .utf8)
        let again = try await config("--config", file)
        #expect(again.output.contains("\ncapacity: 9  # \(file):"), "\(again.output) \(again.errors)")
        #expect(again.output.contains("\n  max-streams: 32  # \(file):"))
        #expect(!shown.output.contains("MARKER"))
    }

    @Test(arguments: [
        ("capacity: 7", 0, ""), ("framd:\n  address: a:1", 78, "line 2: framd.address: did you mean"),
        ("capacity: 500", 78, "s.yaml, line 1: capacity is 500; it must be 1 to 100."),
        ("limits:\n  drain-timeout: 25", 78, "add a unit: 25s"),
        ("framed:\n  address: [\"off\", 127.0.0.1:1]", 78, "framed.address is off, but also has an address"),
        ("framed: {address: off}\nhttp: {address: off}", 78, "are off: the server would accept no calls"),
        ("allow-edits: true\ncatalog: http://127.0.0.1:1/", 78, "a gateway cannot be edited"),
        ("framed:\n  address: [127.0.0.1]", 78, "s.yaml, line 2: framed.address"),
        ("catalog: http://user:MARKER@host/", 78, "line 1: catalog"),
    ]) func aFileIsChecked(_ text: String, _ status: Int32, _ problem: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("s.yaml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let check = try await config("--check", "--config", file)
        #expect(check.status == status, "\(check.errors)")
        #expect(check.output == (status == 0 ? "the settings are valid\n" : ""))
        #expect(status == 0 || check.errors.contains(problem), "\(check.errors)")
        #expect(!check.errors.contains("MARKER"))
    }

    @Test func theSampleIsValid() async throws {
        let folder = try TemporaryFolder()
        let sample = try await config("--sample").output
        try sample.write(toFile: folder.path("s.yaml"), atomically: true, encoding: .utf8)
        #expect(try await config("--check", "--config", folder.path("s.yaml")).status == 0)
    }

    // MARK: Reload

    @Test func sighupReloadsAllOrNothing() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("s.yaml")
        func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }
        try write("limits: {max-streams: 64}\n")
        try await Stand.run(serverArguments: ["--config", file], folder: folder) { stand in
            let server = stand.server
            try write("log: {level: debug}\nlimits: {max-streams: 32, calls-per-second: 7}\ncapacity: 7\n")
            server.send(SIGHUP)
            try await server.waitForError(containing: "restart to apply the changed settings")
            let done = try #require(try server.logLines().first { $0.message == "reloaded" })
            #expect(
                done.members["changed"] as? [String] == ["log.level", "limits.max-streams", "limits.calls-per-second"]
            )
            #expect(done.members["parts"] as? [String] == ["log level", "limits"])
            let later = try #require(
                try server.logLines().first { $0.message == "restart to apply the changed settings" }
            )
            #expect(later.members["settings"] as? [String] == ["capacity"])
            #expect(try await stand.marvel("search", "thor").status == 0)

            try write("log: {level: error}\nlimits: {max-streams: 0}\n")
            server.send(SIGHUP)
            try await server.waitForError(containing: "reload failed, nothing was applied")
            let refused = try #require(
                try server.logLines().first { $0.message?.hasPrefix("reload failed") == true }
            )
            let reasons = try #require(refused.members["reasons"] as? [String])
            #expect(reasons.count == 1)
            #expect(reasons.first?.contains("s.yaml, line 2: limits.max-streams is 0") == true, "\(reasons)")
            #expect(try await stand.marvel("search", "thor").status == 0)
            // The level is still that of the first reload: bytes of another protocol are told at debug.
            let port = try #require(stand.address.split(separator: ":").last.flatMap { Int($0) })
            let stranger = try RawConnection(port: port)
            try stranger.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            try await server.waitForError(containing: "\"level\":\"debug\"")
        }
    }

    @Test(arguments: ["", "relative"]) func anInvalidFolderOfTheUsersStateIsIgnored(_ state: String) async throws {
        let variables = ["XDG_STATE_HOME": state]
        let run = try await RunningProgram.run("marvel-server", ["token", "list"], environment: variables)
        #expect(!run.errors.contains("\(state)/marvel-rpc/") || run.errors.contains(".local/state/marvel-rpc/"))
    }
}
