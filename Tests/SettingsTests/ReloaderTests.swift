import Synchronization
import Testing

@testable import Settings

/// Reloads: all parts or none, and what each setting needs.
@Suite struct ReloaderTests {
    /// A part that applies the capacity, and refuses numbers above 100.
    private final class Part: Reloadable {
        let name: String
        let flags: Set<String>
        private let applied = Mutex<Int?>(nil)

        init(_ name: String, _ flags: Set<String>) { (self.name, self.flags) = (name, flags) }

        var value: Int? { applied.withLock { $0 } }

        func prepare(_ options: Int) throws -> (@Sendable () -> Void)? {
            guard options <= 100 else { throw SettingsError(["\(options) is too much"]) }
            guard options != value else { return nil }
            return { [self] in applied.withLock { $0 = options } }
        }
    }

    /// A part that refuses everything.
    private struct Refusing: Reloadable {
        let name = "tokens"
        let flags: Set<String> = []

        func prepare(_ options: Int) throws -> (@Sendable () -> Void)? { throw SettingsError(["no tokens"]) }
    }

    private func settings(_ values: (flag: String, text: String)...) -> LayeredSettings {
        let table = SettingsTable.example
        return LayeredSettings(
            table,
            sources: [values.map { table.value($0.flag, $0.text, from: .file(path: "s", line: 1)) }]
        )
    }

    @Test func onePartThatRefusesKeepsAllAsTheyWere() async {
        let part = Part("limits", ["--max-streams"])
        let reloader = Reloader<Int>([part, Refusing()], current: nil)
        #expect(await reloader.reload(5, settings: nil) == .refused(reasons: ["tokens: no tokens"]))
        #expect(part.value == nil)
        #expect(
            await reloader.reload(500, settings: nil)
                == .refused(reasons: ["limits: 500 is too much", "tokens: no tokens"])
        )
    }

    @Test func changedSettingsAreAppliedOrNeedARestart() async {
        let part = Part("limits", ["--max-streams"])
        let reloader = Reloader<Int>([part], current: settings(("--max-streams", "1"), ("--store", "a")))
        let new = settings(("--max-streams", "2"), ("--store", "b"), ("--capacity", "7"))
        #expect(
            await reloader.reload(2, settings: new)
                == .applied(parts: ["limits"], changed: ["limits.max-streams"], needRestart: ["capacity", "store"])
        )
        #expect(part.value == 2)
        // What is in effect is no change any more; what is not still is one.
        #expect(
            await reloader.reload(2, settings: new)
                == .applied(parts: [], changed: [], needRestart: ["capacity", "store"])
        )
        // A setting that is gone from the file has its default again.
        #expect(
            await reloader.reload(1, settings: settings(("--store", "a")))
                == .applied(parts: ["limits"], changed: ["limits.max-streams"], needRestart: [])
        )
    }

    @Test func aRefusedReloadChangesNoSettings() async {
        let reloader = Reloader<Int>([Part("limits", ["--max-streams"])], current: settings(("--max-streams", "1")))
        let new = settings(("--max-streams", "2"))
        #expect(await reloader.reload(101, settings: new) == .refused(reasons: ["limits: 101 is too much"]))
        #expect(
            await reloader.reload(2, settings: new)
                == .applied(parts: ["limits"], changed: ["limits.max-streams"], needRestart: [])
        )
    }
}
