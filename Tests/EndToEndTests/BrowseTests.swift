import ChildProcesses
import Foundation
import Testing
import WireClients

/// The app in a real terminal, against a real server.
@Suite(.timeLimit(.minutes(10)))
struct BrowseTests {
    /// Opens the app in a window, runs `body`, and closes it.
    private func browse(
        _ stand: Stand,
        environment: [String: String] = [:],
        _ body: (TerminalWindow) async throws -> Void
    ) async throws {
        try await browse(stand.address, folder: stand.folder, environment, body)
    }

    private func browse(
        _ address: String,
        _ arguments: [String] = [],
        folder: TemporaryFolder,
        _ environment: [String: String] = [:],
        _ body: (TerminalWindow) async throws -> Void
    ) async throws {
        let program = RunningProgram.path("marvel")
        let command = [program, "--server", address, "browse"] + arguments
        let window = try await TerminalWindow(command, folder: folder, environment: environment)
        try await running {
            try await window.wait(for: "? Help")
            try await body(window)
        } finally: {
            try await window.close()
        }
    }

    @Test func aTypedNameIsFoundSavedAndSeenByOthers() async throws {
        try await Stand.run { stand in
            try await browse(stand.address, ["--no-images"], folder: stand.folder) { window in
                try await window.wait(for: "● live")
                try await window.type("spider-m")
                try await window.wait(for: "1–13 of 13")
                try await window.press("Enter")
                try await window.wait(for: "d details")
                try await window.press("Enter")
                try await window.wait(for: "2 Favorites 1/5")
                let favorites = try await stand.marvel("favorites")
                #expect(favorites.output.contains("Spider-Man"))

                // Another client's change comes by itself, into both tabs.
                _ = try await stand.marvel("toggle", "1009351")
                try await window.wait(for: "2 Favorites 2/5")
                try await window.press("Tab")
                try await window.wait { $0.contains("1 ★  Spider-Man") && $0.contains("2 ★  Hulk") }
                try await window.press("q")
                #expect(try await window.status() == 0)
                #expect(try window.isModeRestored())
                #expect(window.errors.isEmpty)
                #expect(try await !window.text().contains("Hulk"), "the screen before is back")
            }
        }
    }

    @Test func aKilledServerIsReportedAndEverythingContinuesWhenItIsBack() async throws {
        let folder = try TemporaryFolder()
        let address = "unix:" + folder.path("socket")
        let arguments = ["--framed", address, "--store", folder.path("favorites.sqlite")]
        let first = try RunningProgram("marvel-server", arguments)
        _ = try await first.listeningAddress()
        _ = try await RunningProgram.run("marvel", ["--server", address, "toggle", "1009610"])
        try await browse(address, ["--no-images"], folder: folder) { window in
            try await window.press("Tab")
            try await window.wait(for: "1 ★  Spider-Man")
            first.send(SIGKILL)
            await first.waitForEnd()
            let lost = try await window.wait(for: "✗ offline")
            #expect(lost.contains("1 ★  Spider-Man"), "the last list stays visible")
            try await window.wait(for: "Retrying in")

            // A search that is typed without a server starts by itself when there is one again.
            try await window.press("/")
            try await window.type("hulk")
            let second = try RunningProgram("marvel-server", arguments)
            try await window.wait(for: "● live")
            try await window.wait(for: "She-Hulk") { $0.contains("Hulk") && $0.contains(" of ") }
            try await window.press("Tab")
            try await window.wait(for: "1 ★  Spider-Man")
            try await window.press("q")
            #expect(try await window.status() == 0)
            await second.stop()
        }
    }

    /// The shell must be usable again however the program ends: by a signal, a fault of its own, or Ctrl-C.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
    func theTerminalIsRestoredOnEveryWayOut(_ signal: Int32) async throws {
        try await Stand.run { stand in
            // Swift's own report of a fault would wait for a key.
            try await browse(stand, environment: ["SWIFT_BACKTRACE": "enable=no"]) { window in
                try await window.wait(for: "● live")
                kill(try await window.programID(), signal)
                #expect(try await window.status() == 128 + signal)
                #expect(try window.isModeRestored())
                #expect(try await !window.text().contains("● live"))
                #expect(try await window.isPlain())
            }
        }
    }

    @Test func ctrlZStopsItAndItComesBack() async throws {
        try await Stand.run { stand in
            let program = RunningProgram.path("marvel")
            // Only a shell with job control takes part. It waits for Enter before it brings the program back.
            let window = try await TerminalWindow(
                ["bash", "-ic", "\(program) --server \(stand.address) browse; echo stopped; read; fg; echo over"],
                folder: stand.folder
            )
            try await window.wait(for: "● live")
            try await window.press("C-z")
            try await window.wait { $0.contains("stopped") && !$0.contains("● live") }
            #expect(try await window.isPlain())
            try await window.press("Enter")
            try await window.wait(for: "● live")
            try await window.type("storm")
            try await window.wait(for: "Search: storm")
            try await window.press("C-c")
            try await window.wait(for: "over")
            #expect(try await window.isPlain())
            try await window.close()
        }
    }

    @Test func withoutATerminalItSaysSo() async throws {
        let run = try await RunningProgram.run("marvel", ["browse"])
        #expect(run.status == 64)
        #expect(run.errors.contains("needs a terminal"))
    }
}

extension TerminalWindow {
    @discardableResult
    fileprivate func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until isThere: (String) -> Bool
    ) async throws -> String {
        try await wait(for: "what was awaited", sourceLocation: sourceLocation, until: isThere)
    }
}
