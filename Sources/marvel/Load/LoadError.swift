/// The reason why a load test did not begin.
enum LoadError: Error, CustomStringConvertible {
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case nothingToToggle(queries: [String])

    var description: String {
        switch self {
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
