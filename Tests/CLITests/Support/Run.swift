import MarvelClient
import Synchronization

@testable import marvel

/// One run of the program against a fake server, and what came of it.
struct Run {
    var status: ExitStatus
    var output: String
    var errors: String
    /// The servers that it would have connected to.
    var servers: [ServerEndpoint]
    /// The token that it would have sent.
    var token: String?

    /// - Parameters:
    ///   - line: The arguments with spaces between.
    ///   - server: Who answers.
    ///   - environment: The variables that are set.
    ///   - output: Where standard output goes.
    ///   - errors: Where standard error goes.
    ///   - input: What is typed.
    init(
        _ line: String,
        _ server: FakeServer = FakeServer(),
        environment: [String: String] = [:],
        output: MemoryOutput = MemoryOutput(),
        errors: MemoryOutput = MemoryOutput(),
        input: MemoryInput = MemoryInput()
    ) async {
        let seen = Mutex<[ServerEndpoint]>([])
        let seenToken = Mutex<String?>(nil)
        let program = Program(
            environment: Environment(environment),
            output: output,
            errors: errors,
            input: input,
            connect: { servers, _, token, command in
                seen.withLock { $0 = servers }
                seenToken.withLock { $0 = token }
                return MarvelClient(channel: server, retries: command.retries)
            }
        )
        self.status = await program.run(line.split(separator: " ").map(String.init))
        self.output = output.text
        self.errors = errors.text
        self.servers = seen.withLock { $0 }
        self.token = seenToken.withLock { $0 }
    }
}
