import LoadTestServer
import MarvelClient

@testable import marvel

extension LoadTestServer {
    /// Runs `marvel load` against this server.
    func load(
        _ line: String,
        output: MemoryOutput = MemoryOutput(),
        errors: MemoryOutput = MemoryOutput()
    ) async -> LoadRun {
        let program = Program(environment: Environment([:]), output: output, errors: errors) {
            servers,
            tls,
            _,
            command in
            MarvelClient(servers: servers, tls: tls, retries: command.retries)
        }
        let arguments = "load --server \(address) \(line)".split(separator: " ").map(String.init)
        let status = await program.run(arguments)
        return LoadRun(status: status, output: output.text, errors: errors.text)
    }
}

/// One run of `marvel load`, and what came of it.
struct LoadRun {
    var status: ExitStatus
    var output: String
    var errors: String

    /// A figure of the JSON report by its path: `operations.toggle.calls`.
    func number(_ path: String) -> Double? {
        var rest = output[...]
        for name in path.split(separator: ".") {
            guard let place = rest.firstRange(of: "\"\(name)\":") else { return nil }
            rest = rest[place.upperBound...]
        }
        return Double(rest.prefix { $0.isNumber || ".-e".contains($0) })
    }
}
