import Testing

@testable import Settings

/// The order of the sources, and messages about their values.
@Suite struct LayeredSettingsTests {
    @Test(arguments: [
        ([:], [], 7, "s.yaml:1"), (["MARVEL_CAPACITY": "8"], [], 8, "MARVEL_CAPACITY"),
        (["MARVEL_CAPACITY": "8"], ["capacity=9"], 9, "--set"), ([:], ["capacity=9", "capacity=10"], 10, "--set"),
    ]) func aLaterSourceTakesPrecedence(
        _ environment: [String: String],
        _ set: [String],
        _ value: Int,
        _ source: String
    ) throws {
        let settings = try ExampleSettings.layered(file: "capacity: 7", environment: environment, set: set)
        #expect(settings.values.capacity == value)
        #expect(settings.given["capacity"].map { "\($0.source)" } == source)
    }

    @Test func aListReplacesTheListOfAnEarlierSource() throws {
        let file = "framed: {address: [a:1, a:2]}\nallow-edits: true"
        #expect(try ExampleSettings.layered(file: file).values.framed == ["a:1", "a:2"])
        let settings = try ExampleSettings.layered(
            file: file,
            environment: ["MARVEL_FRAMED": "b:1", "MARVEL_ALLOW_EDITS": "false"]
        )
        #expect(settings.values.framed == ["b:1"])
        #expect(!settings.values.allowsEdits)
    }

    @Test(arguments: [("on", true), ("Off", false), ("True", true), ("false", false)])
    func aSwitchIsTrueOrFalseOrOnOrOff(_ text: String, _ value: Bool) throws {
        let settings = try ExampleSettings.layered(file: "", environment: ["MARVEL_REFLECTION": text])
        #expect(settings.values.reflection == value)
    }

    @Test(arguments: [
        ("capacity: 500", [:], [], "s.yaml, line 1: capacity is 500; it must be 1 to 100."),
        ("framed: {address: [a:1, b]}", [:], [], "s.yaml, line 1: framed.address is a:1, b; it must be an address."),
        ("allow-edits: yes", [:], [], "s.yaml, line 1: allow-edits is yes; it must be true or false."),
        ("", ["MARVEL_REFLECTION": "1"], [], "MARVEL_REFLECTION is 1; it must be true or false."),
        ("", [:], ["log.level=loud"], "--set log.level is loud; it must be one of debug, info."),
        ("", [:], ["limits.max-streams=0"], "--set limits.max-streams is 0; it must be 1 or more."),
        ("", [:], ["limits.idle-timeout=9s"], "--set limits.idle-timeout is 9s; it must be 10s or more."),
        (
            "", [:], ["limits.idle-timeout=25"],
            "--set limits.idle-timeout is 25; add a unit: 25s, or one of ms, m, h, d, w."
        ),
        ("", [:], ["tls.key=k"], "tls.key needs store."),
    ]) func aMessageNamesTheSourceOfTheValue(
        _ file: String,
        _ environment: [String: String],
        _ set: [String],
        _ problem: String
    ) {
        let error = #expect(throws: SettingsError.self) {
            try ExampleSettings.layered(file: file, environment: environment, set: set)
        }
        #expect(error == SettingsError([problem], isUsage: !set.isEmpty))
    }

    /// Wrong everywhere: all problems are told, and it is not the command line alone that is wrong.
    @Test func allProblemsAreReportedTogether() {
        let error = #expect(throws: SettingsError.self) {
            try ExampleSettings.layered(file: "capacity: 0", set: ["limits.max-streams=x"])
        }
        #expect(error?.problems.count == 2)
        #expect(error?.isUsage == false)
    }
}
