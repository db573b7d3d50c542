internal import MarvelClient

/// The reason why a load test did not begin.
enum LoadError: Error, CustomStringConvertible {
    case cannotConnect(open: Int, of: Int, servers: [ServerAddress], reason: String)
    case closedAtOnce
    case tooFewDescriptors(maximum: Int, connections: Int)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case nothingToToggle(queries: [String])

    var description: String {
        switch self {
        case .cannotConnect(let open, let count, let servers, let reason):
            let places = servers.map(\.description).joined(separator: ", ")
            return "Only \(open) of \(count) connections to \(places) could be opened: \(reason)"
        case .closedAtOnce:
            return "the server accepted the connection and closed it at once"
        case .tooFewDescriptors(let maximum, let connections):
            return """
                \(connections) connections need as many open files, and this process may have \(maximum): \
                raise the hard limit (`ulimit -Hn`).
                """
        case .cannotRead(let path, let reason):
            return "The queries in \(path) cannot be read: \(reason)"
        case .cannotWrite(let path, let reason):
            return "\(path) cannot be written: \(reason)"
        case .nothingToToggle(let queries):
            let texts = queries.joined(separator: ", ")
            return "No characters were found to toggle: \(texts) found none. Try another --query."
        }
    }
}
