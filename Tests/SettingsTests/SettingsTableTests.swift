import Testing

@testable import Settings

/// The names of settings, and the values of a command line and of an environment.
@Suite struct SettingsTableTests {
    @Test func everyOptionIsASettingWithItsNames() {
        let names = SettingsTable.example.settings.map { [$0.flag, $0.key, $0.variable] }
        #expect(
            names == [
                ["--framed", "framed.address", "MARVEL_FRAMED"],
                ["--reflection", "reflection", "MARVEL_REFLECTION"],
                ["--allow-edits", "allow-edits", "MARVEL_ALLOW_EDITS"],
                ["--capacity", "capacity", "MARVEL_CAPACITY"],
                ["--store", "store", "MARVEL_STORE"],
                ["--log-level", "log.level", "MARVEL_LOG_LEVEL"],
                ["--max-streams", "limits.max-streams", "MARVEL_MAX_STREAMS"],
                ["--idle-timeout", "limits.idle-timeout", "MARVEL_IDLE_TIMEOUT"],
                ["--tls-key", "tls.key", "MARVEL_TLS_KEY"],
                ["--signing-key", "signing-key", "MARVEL_SIGNING_KEY"],
                ["--tokens", "tokens.file", "MARVEL_TOKENS"],
            ]
        )
    }

    @Test(arguments: [
        ("--framed", nil, "Where to listen (a port)."), ("--idle-timeout", "900s", "Silence."),
        ("--capacity", "5", "Favorites of a list."), ("--reflection", nil, "Whether services are listed."),
        ("--store", nil, ""),
    ]) func theDefaultIsTakenFromTheHelp(_ flag: String, _ value: String?, _ help: String) throws {
        let setting = try #require(SettingsTable.example.setting(flag: flag))
        #expect(setting.defaultValue == value)
        #expect(setting.help == help)
    }

    @Test(arguments: [("--tls-key", false), ("--signing-key", true), ("--tokens", false), ("--store", false)])
    func aValueThatIsAKeyIsASecret(_ flag: String, _ isSecret: Bool) {
        #expect(SettingsTable.example.setting(flag: flag)?.isSecret == isSecret)
    }

    @Test(arguments: [
        (["--capacity", "7"], ["--capacity": ["7"]]), (["--capacity=7"], ["--capacity": ["7"]]),
        (["--capacity=7", "--capacity", "8"], ["--capacity": ["8"]]),
        (["--framed", "a:1", "--framed=b:2"], ["--framed": ["a:1", "b:2"]]),
        (["--no-reflection"], ["--reflection": ["false"]]), (["--reflection"], ["--reflection": ["true"]]),
        (["--store", "--capacity"], ["--store": ["--capacity"]]), (["--store"], [:]), (["--store="], ["--store": [""]]),
        (["--", "--capacity", "7"], [:]), (["--check", "--unknown", "x"], [:]),
        (["--allow-edits", "--capacity", "7"], ["--allow-edits": ["true"], "--capacity": ["7"]]),
    ]) func aCommandLineGivesValues(_ arguments: [String], _ wanted: [String: [String]]) {
        let (given, file) = SettingsTable.example.given(on: arguments)
        #expect(Dictionary(uniqueKeysWithValues: given.map { ($0.setting.flag, $0.texts) }) == wanted)
        #expect(file == nil)
    }

    @Test(arguments: [
        ["--config", "a.yaml"], ["--capacity", "7", "--config=a.yaml"], ["--config=b", "--config=a.yaml"],
    ])
    func theFileIsNamedOnTheCommandLine(_ arguments: [String]) {
        #expect(SettingsTable.example.given(on: arguments).file == "a.yaml")
    }

    @Test func anEnvironmentGivesValues() throws {
        let (given, warnings) = try SettingsTable.example.given(inEnvironment: [
            "MARVEL_CAPACITY": "7", "MARVEL_FRAMED": "a:1, unix:/b", "MARVEL_ALLOW_EDITS": "True",
            "MARVEL_STORE": "", "PATH": "/bin",
        ])
        #expect(given.map(\.setting.key) == ["allow-edits", "capacity", "framed.address"])
        #expect(given.map(\.texts) == [["true"], ["7"], ["a:1", "unix:/b"]])
        #expect(warnings == [])
    }

    @Test(arguments: [
        ("MARVEL_CAPASITY", ["The variable MARVEL_CAPASITY has no meaning: did you mean MARVEL_CAPACITY?"]),
        ("MARVEL_WHATEVER_ELSE", ["The variable MARVEL_WHATEVER_ELSE has no meaning."]),
        ("MARVEL_PRIVATE_KEY_FILE", []), ("MARVEL_SERVER", []), ("MARVEL_TOKEN", []), ("MARVEL_CONFIG", []),
        ("MARVEL_SERVER_SERVICE_HOST", []), ("MARVEL_SERVER_SERVICE_PORT_GRPC", []), ("MARVEL_SERVER_PORT", []),
        ("MARVEL_SERVER_PORT_6160_TCP_ADDR", []), ("MARVELOUS", []),
    ]) func anUnknownVariableIsToldOnce(_ name: String, _ wanted: [String]) throws {
        #expect(try SettingsTable.example.given(inEnvironment: [name: "x"]).warnings == wanted)
    }

    @Test func aToggleOfTheEnvironmentIsTrueOrFalse() {
        let error = #expect(throws: SettingsError.self) {
            try SettingsTable.example.given(inEnvironment: ["MARVEL_REFLECTION": "on"])
        }
        #expect(error?.problems == ["MARVEL_REFLECTION is on, it must be true or false."])
    }

    // MARK: Former names

    @Test(arguments: [
        (["--framed-address", "a:1"], "--framed-address is now --framed."),
        (["serve", "--grpc-address=a:1"], "--grpc-address is now --http."),
        (["--store", "s", "--operations-address", "off"], "--operations-address is now --operations."),
        (["--framed", "a:1", "--http=off"], nil), (["--", "--framed-address"], nil),
    ]) func aFormerOptionIsRefusedWithItsNewName(_ words: [String], _ problem: String?) {
        #expect(SettingsTable.problem(onCommandLine: words) == problem)
    }

    @Test func aFormerVariableIsRefusedUnlessItIsEmpty() throws {
        let error = #expect(throws: SettingsError.self) {
            try SettingsTable.example.given(inEnvironment: ["MARVEL_GRPC_ADDRESS": "a:1"])
        }
        #expect(error?.problems == ["MARVEL_GRPC_ADDRESS is now MARVEL_HTTP."])
        let (given, warnings) = try SettingsTable.example.given(inEnvironment: ["MARVEL_GRPC_ADDRESS": ""])
        #expect(given.isEmpty && warnings.isEmpty)
    }
}
