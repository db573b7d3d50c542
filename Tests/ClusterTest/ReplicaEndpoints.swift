import LongRuns
import MarvelClient

/// The addresses of a replica, which it has in each of its processes.
struct ReplicaEndpoints {
    let framed: ServerAddress
    /// The addresses for gRPC and for operations; nil for a replica that only the run itself uses.
    let others: (http: ServerAddress, operations: ServerAddress)?

    /// Makes the addresses of a replica that only the run uses.
    init(socketIn folder: String, _ number: Int) {
        framed = .unix(path: "\(folder)/replica-\(number)")
        others = nil
    }

    /// Makes the addresses of a replica that a person uses too.
    init(ports: [Int]) {
        framed = .tcp(host: "127.0.0.1", port: ports[0])
        others = (.tcp(host: "127.0.0.1", port: ports[1]), .tcp(host: "127.0.0.1", port: ports[2]))
    }

    /// The options of the server.
    var arguments: [String] {
        let http = others?.http.description ?? "off"
        let operations = others?.operations.description ?? "off"
        return ["--framed", framed.description, "--http", http, "--operations", operations]
    }
}
