internal import MarvelClient

/// Why a load test did not begin.
enum LoadError: Error, CustomStringConvertible {
    case cannotConnect(open: Int, of: Int, servers: [ServerAddress], reason: String)
    case tooFewDescriptors(maximum: Int, connections: Int)
    case cannotWrite(path: String, reason: String)
    case nothingToToggle(queries: [String])

    var description: String {
        switch self {
        case .cannotConnect(let open, let count, let servers, let reason):
            let places = servers.map(\.description).joined(separator: ", ")
            return "Only \(open) of \(count) connections to \(places) could be opened: \(reason)"
        case .tooFewDescriptors(let maximum, let connections):
            return """
                \(connections) connections need as many open files, and this process may have \(maximum): \
                raise the hard limit (`ulimit -Hn`).
                """
        case .cannotWrite(let path, let reason):
            return "\(path) cannot be written: \(reason)"
        case .nothingToToggle(let queries):
            return "No characters were found to toggle: \(queries.joined(separator: ", ")) found none. Try another --query."
        }
    }
}
