import Testing

@testable import Settings

/// The order of the sources, and messages about values that came from one of them.
@Suite struct LayeredSettingsTests {
    private static let table = SettingsTable.example
    private static let file = GivenSetting.Source.file(path: "s.yaml", line: 3)

    private static func layered(
        file: [GivenSetting],
        variables: [String: String],
        words: [String]
    ) throws -> LayeredSettings {
        let inEnvironment = try table.given(inEnvironment: variables).settings
        return LayeredSettings(table, sources: [file, inEnvironment, table.given(on: words).settings])
    }

    @Test(arguments: [
        ([:], [], ["--capacity=7"], "s.yaml:3"),
        (["MARVEL_CAPACITY": "8"], [], ["--capacity=8"], "MARVEL_CAPACITY"),
        (["MARVEL_CAPACITY": "8"], ["--capacity", "9"], [], "--capacity"),
        ([:], ["--capacity=9"], [], "--capacity"),
    ]) func aLaterSourceTakesPrecedence(
        _ variables: [String: String],
        _ words: [String],
        _ arguments: [String],
        _ source: String
    ) throws {
        let inFile = [Self.table.value("--capacity", "7", from: Self.file)]
        let settings = try Self.layered(file: inFile, variables: variables, words: words)
        #expect(settings.arguments == arguments)
        #expect(settings.given["--capacity"].map { "\($0.source)" } == source)
    }

    @Test func aListReplacesTheListOfAnEarlierSource() throws {
        let inFile = [Self.table.value("--framed", "a:1", "a:2", from: Self.file)]
        #expect(
            try Self.layered(file: inFile, variables: [:], words: []).arguments
                == ["--framed=a:1", "--framed=a:2"]
        )
        let variables = ["MARVEL_FRAMED": "b:1"]
        #expect(try Self.layered(file: inFile, variables: variables, words: []).arguments == ["--framed=b:1"])
        let words = ["--framed", "c:1"]
        #expect(try Self.layered(file: inFile, variables: variables, words: words).arguments == [])
    }

    @Test(arguments: [
        ("--allow-edits", "true", ["--allow-edits"]), ("--allow-edits", "false", []),
        ("--reflection", "true", ["--reflection"]), ("--reflection", "false", ["--no-reflection"]),
    ]) func aToggleIsAnOption(_ flag: String, _ text: String, _ arguments: [String]) {
        let settings = LayeredSettings(Self.table, sources: [[Self.table.value(flag, text, from: Self.file)]])
        #expect(settings.arguments == arguments)
    }

    @Test func aVariableSwitchesOffWhatTheFileSwitchesOn() throws {
        let inFile = [Self.table.value("--allow-edits", "true", from: Self.file)]
        let settings = try Self.layered(file: inFile, variables: ["MARVEL_ALLOW_EDITS": "false"], words: [])
        #expect(settings.arguments == [])
    }

    @Test(arguments: [
        ("--capacity is 500, it must be 1 to 100.", "s.yaml, line 3: capacity is 500, it must be 1 to 100."),
        (
            "The value 'x' is invalid for '--capacity <capacity>'",
            "The value 'x' is invalid for 's.yaml, line 3: capacity'"
        ),
        ("--log-level is wrong.", "MARVEL_LOG_LEVEL is wrong."),
        ("--no-reflection cannot be.", "s.yaml, line 3: reflection cannot be."),
        ("--max-streams is 0.", nil), ("--capacity-of-lists is 0.", nil), ("Something else.", nil),
    ]) func aMessageNamesTheSourceOfTheValue(_ message: String, _ wanted: String?) throws {
        let inFile = [
            Self.table.value("--capacity", "500", from: Self.file),
            Self.table.value("--reflection", "false", from: Self.file),
        ]
        let settings = try Self.layered(
            file: inFile,
            variables: ["MARVEL_LOG_LEVEL": "x"],
            words: ["--max-streams", "0"]
        )
        #expect(settings.explained(message) == wanted)
    }

    @Test func aMessageHasNoSecret() {
        let settings = LayeredSettings(
            Self.table,
            sources: [
                [
                    Self.table.value("--signing-key", "MARKER", from: Self.file),
                    Self.table.value("--store", "http://user:MARKER@host/", from: Self.file),
                ]
            ]
        )
        #expect(
            settings.explained("--signing-key is MARKER, --store is http://user:MARKER@host/.")
                == "s.yaml, line 3: signing-key is ***, s.yaml, line 3: store is http://***@host/."
        )
    }

    @Test func theListHasEverySettingAndMasksSecrets() throws {
        let settings = LayeredSettings(
            Self.table,
            sources: [
                [
                    Self.table.value("--signing-key", "MARKER", from: Self.file),
                    Self.table.value("--tls-key", "/k.pem", from: Self.file),
                ],
                [Self.table.value("--framed", "a:1", "b:2", from: .environment(variable: "V"))],
            ]
        )
        let environment = ["MARVEL_PRIVATE_KEY": "MARKER", "MARVEL_PRIVATE_KEY_FILE": "/k", "MARVEL_TOKEN": ""]
        let rows = settings.rows(environment: environment)
        #expect(rows.count == Self.table.settings.count + 2)
        let wanted: [LayeredSettings.Row] = [
            .init(key: "framed.address", value: "a:1, b:2", source: "V"),
            .init(key: "signing-key", value: "***", source: "s.yaml:3"),
            .init(key: "tls.key", value: "/k.pem", source: "s.yaml:3"),
            .init(key: "capacity", value: "5", source: "default"),
            .init(key: "store", value: "-", source: "default"),
            .init(key: "MARVEL_PRIVATE_KEY", value: "***", source: "environment"),
            .init(key: "MARVEL_PRIVATE_KEY_FILE", value: "/k", source: "environment"),
        ]
        for row in wanted { #expect(rows.contains(row), "\(row)") }
        #expect(!settings.listing(environment: environment).contains("MARKER"))
    }
}
