import ChildProcesses
import Foundation
import WireClients

/// A server, and a gateway behind it where a test wants one, on free ports of this machine.
struct Stand {
    static let keys = ["MARVEL_PUBLIC_KEY": "public-key-of-tests", "MARVEL_PRIVATE_KEY": "private-key-of-tests"]

    let server: RunningProgram
    let gateway: RunningProgram?
    let address: String
    let folder: TemporaryFolder

    var store: String { folder.path("favorites.sqlite") }

    enum Catalog: Sendable {
        case builtIn
        /// A gateway with these further arguments.
        case gateway([String])
    }

    /// Starts what is wanted, runs `body`, and stops what was started.
    static func run(
        _ catalog: Catalog = .builtIn,
        serverArguments: [String] = [],
        folder: TemporaryFolder? = nil,
        _ body: (Stand) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        var gateway: RunningProgram?
        var arguments = ["--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite")]
        if case .gateway(let further) = catalog {
            let program = try RunningProgram(
                "marvel-gateway",
                ["--address", "127.0.0.1:0"] + further,
                environment: keys
            )
            arguments += ["--catalog", "http://\(try await program.listeningAddress())"]
            gateway = program
        }
        let server = try RunningProgram("marvel-server", arguments + serverArguments, environment: keys)
        try await running {
            let address = try await server.listeningAddress("framed")
            let stand = Stand(server: server, gateway: gateway, address: address, folder: folder)
            try await body(stand)
        } finally: {
            for program in [server, gateway].compactMap(\.self) {
                await program.stop()
            }
        }
    }

    /// Runs the client against this server.
    func marvel(_ arguments: String...) async throws -> Ended {
        try await RunningProgram.run("marvel", ["--server", address] + arguments)
    }
}
