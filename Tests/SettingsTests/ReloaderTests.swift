import Synchronization
import Testing

@testable import Settings

/// Reloads: all parts or none, and what each setting needs.
@Suite struct ReloaderTests {
    /// A part that applies the number of streams, and refuses numbers above 100.
    private final class Part: Sendable {
        private let applied = Mutex<Int?>(nil)

        var value: Int? { applied.withLock { $0 } }

        var reloaded: ReloadedPart<ExampleSettings> {
            ReloadedPart("limits") { [self] values in
                guard values.maximumStreams <= 100 else {
                    throw SettingsError(["\(values.maximumStreams) is too much"])
                }
                guard values.maximumStreams != value else { return nil }
                return { self.applied.withLock { $0 = values.maximumStreams } }
            }
        }
    }

    /// A part that refuses everything.
    private let refusing = ReloadedPart<ExampleSettings>("tokens") { _ in throw SettingsError(["no tokens"]) }

    private func settings(_ assignments: String...) throws -> LayeredSettings<ExampleSettings> {
        try ExampleSettings.layered(set: assignments)
    }

    @Test func oneRefusalKeepsAllSettings() async throws {
        let part = Part()
        let reloader = Reloader([part.reloaded, refusing], current: try settings())
        let few = try settings("limits.max-streams=5")
        #expect(await reloader.reload(few) == .refused(reasons: ["tokens: no tokens"]))
        #expect(part.value == nil)
        let many = try settings("limits.max-streams=500")
        #expect(await reloader.reload(many) == .refused(reasons: ["limits: 500 is too much", "tokens: no tokens"]))
    }

    @Test func changedSettingsAreAppliedOrNeedARestart() async throws {
        let part = Part()
        let reloader = Reloader([part.reloaded], current: try settings("limits.max-streams=1", "store=a"))
        let new = try settings("limits.max-streams=2", "store=b", "capacity=7")
        #expect(
            await reloader.reload(new)
                == .applied(parts: ["limits"], changed: ["limits.max-streams"], needRestart: ["capacity", "store"])
        )
        #expect(part.value == 2)
        // A setting in effect is no longer a change. One that needs a restart still is.
        #expect(
            await reloader.reload(new) == .applied(parts: [], changed: [], needRestart: ["capacity", "store"])
        )
        // A setting that is gone from the file has its default again, which the part refuses.
        let gone = try settings("store=a")
        #expect(await reloader.reload(gone) == .refused(reasons: ["limits: 128 is too much"]))
        let less = try settings("store=a", "limits.max-streams=1")
        #expect(
            await reloader.reload(less)
                == .applied(parts: ["limits"], changed: ["limits.max-streams"], needRestart: [])
        )
    }
}
