@testable import Settings

/// Settings with one of each kind.
struct ExampleSettings: SettingValues {
    enum Level: String, CaseIterable, Sendable {
        case debug, info
    }

    var framed: [String] = []
    var reflection: Bool?
    var allowsEdits = false
    var capacity = 5
    var store: String?
    var level = Level.info
    var maximumStreams = 128
    var idleTimeout = Duration.seconds(900)
    var key: String?

    var contradictions: [String] { key != nil && store == nil ? ["tls.key needs store."] : [] }

    static let table = SettingsTable<ExampleSettings>(settings)

    private static let settings: [Setting<ExampleSettings>] = [
        .list("framed.address", \.framed, "address", rule: "an address") { $0.contains(":") ? $0 : nil }
            .help("Where to listen (a port).")
            .byDefault("127.0.0.1:6160, or a socket"),
        .toggle("reflection", \.reflection)
            .help("Whether services are listed.")
            .byDefault("on, if it is local"),
        .toggle("allow-edits", \.allowsEdits)
            .help(
                """
                Let clients edit characters, which is a text that is long enough to be wrapped, because a line of a \
                sample has at most 120 letters.
                """
            ),
        .number("capacity", \.capacity, 1...100).help("Favorites of a list."),
        .text("store", \.store).help("The store."),
        .choice("log.level", \.level).help("The level of the log.").reloaded,
        .number("limits.max-streams", \.maximumStreams, 1 ... .max).help("Calls of a connection.").reloaded,
        .time("limits.idle-timeout", \.idleTimeout, atLeast: .seconds(10)).help("Silence."),
        .text("tls.key", \.key).help("The key."),
    ]

    static func layered(
        file: String = "",
        environment: [String: String] = [:],
        set: [String] = []
    ) throws -> LayeredSettings<ExampleSettings> {
        try LayeredSettings(
            table,
            sources: [
                table.given(inFile: file, path: "s.yaml"), table.given(inEnvironment: environment).settings,
                table.given(inAssignments: set),
            ]
        )
    }
}
