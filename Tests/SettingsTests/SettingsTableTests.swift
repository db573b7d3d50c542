import Testing

@testable import Settings

/// The names of settings, their values from each source, and the texts that are made from the table.
@Suite struct SettingsTableTests {
    private let table = ExampleSettings.table

    @Test func namesAreMadeFromTheKey() {
        #expect(
            table.settings.map { [$0.key, $0.variable] } == [
                ["framed.address", "MARVEL_FRAMED"], ["reflection", "MARVEL_REFLECTION"],
                ["allow-edits", "MARVEL_ALLOW_EDITS"], ["capacity", "MARVEL_CAPACITY"], ["store", "MARVEL_STORE"],
                ["log.level", "MARVEL_LOG_LEVEL"], ["limits.max-streams", "MARVEL_MAX_STREAMS"],
                ["limits.idle-timeout", "MARVEL_IDLE_TIMEOUT"], ["tls.key", "MARVEL_TLS_KEY"],
            ]
        )
    }

    @Test(arguments: [
        ("framed.address", nil, "127.0.0.1:6160, or a socket"), ("limits.idle-timeout", "15m", "15m"),
        ("capacity", "5", "5"), ("reflection", nil, "on, if it is local"), ("store", nil, "none"),
        ("allow-edits", "false", "false"), ("log.level", "info", "info"),
    ]) func theDefaultIsThatOfTheValues(_ key: String, _ value: String?, _ text: String) throws {
        let setting = try #require(table.setting(key: key))
        #expect(setting.defaultValue == value)
        #expect(setting.defaultText == text)
    }

    // MARK: Sources

    @Test(arguments: [
        (["capacity=7"], ["capacity": ["7"]]), (["capacity=7", "store=a"], ["capacity": ["7"], "store": ["a"]]),
        (["framed.address=a:1,b:2", "framed.address=c:3"], ["framed.address": ["a:1", "b:2", "c:3"]]),
        (["store=a=b"], ["store": ["a=b"]]),
    ]) func anAssignmentGivesAValue(_ texts: [String], _ wanted: [String: [String]]) throws {
        let given = try table.given(inAssignments: texts)
        #expect(Dictionary(given.map { ($0.key, $0.texts) }) { _, last in last } == wanted)
    }

    @Test(arguments: [
        ("max-streams=5", "--set max-streams: did you mean --set limits.max-streams=...?"),
        ("capasity=5", "--set capasity: did you mean --set capacity=...?"),
        ("capacity", "--set capacity: did you mean --set capacity=...?"),
        ("capacity=", "--set capacity= has no value: write --set KEY=VALUE."),
        ("frobnicate=1", "--set frobnicate: unknown setting; `marvel-server config` lists all."),
    ]) func anUnknownKeyIsRefusedWithASimilarOne(_ text: String, _ problem: String) {
        let error = #expect(throws: SettingsError.self) { try table.given(inAssignments: [text]) }
        #expect(error == SettingsError([problem], isUsage: true))
    }

    @Test func anEnvironmentGivesValues() throws {
        let (given, warnings) = table.given(inEnvironment: [
            "MARVEL_CAPACITY": "7", "MARVEL_FRAMED": "a:1, unix:/b", "MARVEL_ALLOW_EDITS": "True",
            "MARVEL_STORE": "", "PATH": "/bin",
        ])
        #expect(given.map(\.key) == ["allow-edits", "capacity", "framed.address"])
        #expect(given.map(\.texts) == [["True"], ["7"], ["a:1", "unix:/b"]])
        #expect(warnings == [])
    }

    @Test(arguments: [
        ("MARVEL_CAPASITY", ["Unknown variable MARVEL_CAPASITY: did you mean MARVEL_CAPACITY?"]),
        ("MARVEL_WHATEVER_ELSE", ["Unknown variable MARVEL_WHATEVER_ELSE."]),
        ("MARVEL_PRIVATE_KEY_FILE", []), ("MARVEL_SERVER", []), ("MARVEL_TOKEN", []), ("MARVEL_CONFIG", []),
        ("MARVEL_SERVER_SERVICE_HOST", []), ("MARVEL_SERVER_SERVICE_PORT_GRPC", []), ("MARVEL_SERVER_PORT", []),
        ("MARVEL_SERVER_PORT_6160_TCP_ADDR", []), ("MARVELOUS", []),
    ]) func anUnknownVariableIsAWarning(_ name: String, _ wanted: [String]) {
        #expect(table.given(inEnvironment: [name: "x"]).warnings == wanted)
    }

    // MARK: Texts

    @Test func theSampleIsAFileThatSetsNothing() throws {
        #expect(try table.given(inFile: table.sample(for: "program"), path: "s.yaml") == [])
    }

    /// Without its `#`, each line sets its key to the default, or to a mark for a value.
    @Test func theSampleHasEverySettingWithItsDefault() throws {
        let text = table.sample(for: "program").replacing(/(?m)^( *)#([a-z-]+: )/) { "\($0.1)\($0.2)" }
        let given = try table.given(inFile: text, path: "s.yaml")
        #expect(Set(given.map(\.key)) == Set(table.settings.map(\.key)))
        for value in given {
            if let wanted = table.setting(key: value.key)?.defaultValue { #expect(value.texts == [wanted]) }
        }
    }

    @Test func theListingIsAFileWithTheSameValues() throws {
        let settings = try ExampleSettings.layered(
            file: "framed.address: [\"[::1]:1\", 'unix:/a b', \"a:\"]\nstore: '# no comment: ~'\n",
            environment: ["MARVEL_CAPACITY": "7"],
            set: ["limits.idle-timeout=1h", "reflection=false", "tls.key=null"]
        )
        let text = table.listing(settings)
        #expect(text.contains("\ncapacity: 7  # MARVEL_CAPACITY\n"))
        #expect(text.contains("\n  #max-streams: 128  # default\n"))
        #expect(text.contains("\n  idle-timeout: 1h  # --set\n"))
        let read = try ExampleSettings.layered(file: text)
        #expect(read.given.mapValues(\.texts) == settings.given.mapValues(\.texts))
    }

    @Test func noTextHasThePasswordOfAURL() throws {
        let settings = try ExampleSettings.layered(file: "store: http://user:MARKER@host/")
        #expect(table.listing(settings).contains("#store: http://***@host/  # s.yaml:1"))
        let error = #expect(throws: SettingsError.self) {
            try ExampleSettings.layered(file: "capacity: http://user:MARKER@host/")
        }
        #expect(error?.problems == ["s.yaml, line 1: capacity is http://***@host/; it must be 1 to 100."])
    }
}
