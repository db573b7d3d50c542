internal import FoundationEssentials

/// Environment variables. An empty one counts as not set.
struct Environment: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }
}
