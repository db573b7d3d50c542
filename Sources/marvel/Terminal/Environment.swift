internal import Glibc

/// The environment variables that the program reads. An empty one counts as not set.
struct Environment: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    static var process: Environment {
        var values: [String: String] = [:]
        for name in Environment.names {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return Environment(values)
    }

    private static let names = [
        "MARVEL_SERVER", "NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "HOME", "XDG_STATE_HOME",
        "MARVEL_TOKEN", "MARVEL_TOKEN_FILE", "MARVEL_TOKEN_IN_CLEAR", "TRACEPARENT",
    ]

    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }
}
