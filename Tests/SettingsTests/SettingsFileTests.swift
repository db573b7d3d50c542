import Testing

@testable import Settings

/// Files of settings: what they say, and what is wrong with them.
@Suite struct SettingsFileTests {
    private func values(_ text: String) throws -> [String: [String]] {
        let given = try ExampleSettings.table.given(inFile: text, path: "s.yaml")
        return Dictionary(uniqueKeysWithValues: given.map { ($0.key, $0.texts) })
    }

    @Test(arguments: [
        ("capacity: 7", ["capacity": ["7"]]),
        ("framed:\n  address: 127.0.0.1:6160\n", ["framed.address": ["127.0.0.1:6160"]]),
        ("framed:\n  address: [\"unix:/a b\", '[::1]:1']", ["framed.address": ["unix:/a b", "[::1]:1"]]),
        ("framed.address: [a:1]", ["framed.address": ["a:1"]]),
        ("limits:\n  max-streams: 0600", ["limits.max-streams": ["0600"]]),
        ("allow-edits: true\nreflection: FALSE", ["allow-edits": ["true"], "reflection": ["FALSE"]]),
        ("limits:\n  # max-streams: 3\ncapacity:\n", [:]),
        ("capacity: ''", ["capacity": [""]]),
        ("", [:]), ("# nothing\n", [:]), ("---\n", [:]), ("~", [:]),
    ]) func aFileGivesValues(_ text: String, _ wanted: [String: [String]]) throws {
        #expect(try values(text) == wanted)
    }

    @Test(arguments: [
        ("framd:\n  address: a:1", ["s.yaml, line 2: framd.address: did you mean framed.address?"]),
        ("capacity: 5\nframd.address: a:1", ["s.yaml, line 2: framd.address: did you mean framed.address?"]),
        ("framed:\n  adress: a:1", ["s.yaml, line 2: framed.adress: did you mean framed.address?"]),
        ("framed-address: a:1", ["s.yaml, line 1: framed-address: did you mean framed.address?"]),
        ("max-streams: 1", ["s.yaml, line 1: max-streams: did you mean limits.max-streams?"]),
        ("log_level: info", ["s.yaml, line 1: log_level: did you mean log.level?"]),
        ("frobnicate: 1", ["s.yaml, line 1: frobnicate: unknown setting."]),
        ("frobnicate:", ["s.yaml, line 1: frobnicate: unknown setting."]),
        ("config: x", ["s.yaml, line 1: config: unknown setting."]),
        ("capacity: [1]", ["s.yaml, line 1: capacity takes one value."]),
        ("capacity: {a: 1}", ["s.yaml, line 1: capacity takes one value."]),
        ("framed:\n  address: [[a]]", ["s.yaml, line 2: framed.address takes a value, or a list of values."]),
        ("capacity: 1\ncapacity: 2", ["Duplicate key capacity."]),
        ("framed:\n  address: a:1\nframed.address: a:2", ["line 3: framed.address is set twice."]),
        ("capacity: 1\n  framed: 2", ["s.yaml, line 2: Invalid YAML: "]),
        ("capacity: \"1", ["Invalid YAML: "]),
        ("- capacity", ["s.yaml, line 1: The file must be a mapping of settings"]),
        ("? [a]\n: 1", ["A key must be a word."]),
        ("one: 1\ntwo: 2", ["line 1: one", "line 2: two"]),
    ]) func aProblemIsToldByItsLine(_ text: String, _ wanted: [String]) {
        let error = #expect(throws: SettingsError.self) { try values(text) }
        for part in wanted {
            #expect(error?.problems.contains { $0.contains(part) } == true, "\(error?.description ?? "")")
        }
    }

    /// Deep nesting is refused by the YAML library, and not followed to the end of the stack.
    @Test(arguments: ["[", "{a: ", "- ", "a: &x [*x, "]) func deepNestingIsRefused(_ opening: String) {
        #expect(throws: SettingsError.self) { try values("capacity: " + String(repeating: opening, count: 20_000)) }
    }
}
