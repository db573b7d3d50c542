import Catalog
import Foundation
import Framing
import NIOCore
import WireMessages

/// Starts servers and loads, each on its core.
struct Laboratory {
    /// So many that a stream of a hundred pages has them.
    static let catalog = "synthetic:100000"
    static let serverCore = 0

    let programs: Programs
    /// For stores, logs and answers; the caller removes it.
    let folder: URL
    /// A core of its own for the load if there are two.
    let loadCore = min(1, ProcessInfo.processInfo.processorCount - 1)

    /// Starts marvel-server with a new store: a file of its own, or that of the database at an address.
    func startMarvelServer(
        catalog: String = Laboratory.catalog,
        database: String? = nil,
        core: Int? = Laboratory.serverCore,
        overGRPC: Bool = false,
        options: [String] = []
    ) throws -> RunningServer {
        let store = folder.appendingPathComponent("favorites-\(UUID().uuidString).sqlite")
        let (served, closed) = overGRPC ? ("--http", "--framed") : ("--framed", "--http")
        let address = [served, "127.0.0.1:0", closed, "off", "--operations", "off"]
        let place = ["--store", database ?? store.path, "--catalog", catalog]
        let command = [programs.server] + address + place + options
        let kind = overGRPC ? ServerKind.marvelOverGRPC : .marvel
        return try RunningServer(kind, command, core: core, folder: folder, store: store)
    }

    /// Starts a server with a new store, for toggles and little else.
    ///
    /// - Parameters:
    ///   - kind: marvel-server, or the reference that keeps favorites.
    ///   - durability: What an acknowledged toggle survives, as `marvel-server --durability` has it.
    /// - Returns: The server, when it listens.
    /// - Throws: If it does not start.
    func startStore(_ kind: ServerKind, durability: String) throws -> RunningServer {
        guard kind == .favorites else {
            return try startMarvelServer(catalog: "synthetic:1000", options: ["--durability", durability])
        }
        let store = folder.appendingPathComponent("favorites-\(UUID().uuidString).sqlite")
        let options = ["--store", store.path, "--characters", try charactersFile(), "--durability", durability]
        let command = [programs.bareFavorites] + options
        return try RunningServer(.favorites, command, core: Laboratory.serverCore, folder: folder, store: store)
    }

    /// Starts the reference that keeps favorites in a database, on any core.
    ///
    /// - Parameter database: The address of an empty database. marvel-server makes its schema.
    /// - Returns: The server, when it listens.
    /// - Throws: If it does not start.
    func startReference(database: String) throws -> RunningServer {
        _ = try PinnedProcess.output(core: nil, [programs.server, "migrate", database])
        let options = ["--store", database, "--characters", try charactersFile()]
        return try RunningServer(.favorites, [programs.bareFavoritesPostgres] + options, core: nil, folder: folder)
    }

    /// Writes the characters that a reference may save.
    ///
    /// - Returns: The path of the file.
    private func charactersFile() throws -> String {
        let file = folder.appendingPathComponent("characters")
        let page = SearchCharactersResponse(
            characters: Array(Workload.characters),
            attribution: SyntheticCharacters.attribution
        )
        try Data(page.encoded().readableBytesView).write(to: file)
        return file.path
    }

    /// Starts a reference that answers with a page of marvel-server.
    ///
    /// - Parameters:
    ///   - kind: Which one of those that keep nothing.
    ///   - page: What `page(of:)` returned.
    /// - Returns: The server, when it listens.
    /// - Throws: If it does not start.
    func startReference(_ kind: ServerKind, page: URL) throws -> RunningServer {
        let program = kind == .grpc ? programs.grpcServer : programs.bareServer
        let command = [program, "--response", page.path]
        return try RunningServer(kind, command, core: Laboratory.serverCore, folder: folder)
    }

    /// Asks a server for a page.
    ///
    /// - Returns: The file that holds the encoded message of its answer.
    /// - Throws: If there is no answer.
    func page(of server: RunningServer) throws -> URL {
        let frame = try FrameClient(port: server.port).call(Workload.pageCall)
        let envelope = try ResponseEnvelope(decoding: frame.data, limit: .response)
        let file = folder.appendingPathComponent("page")
        try Data(envelope.payload.readableBytesView).write(to: file)
        return file
    }

    /// Watches a list, and toggles through another server of the same store, or the same one if it is nil.
    func watch(
        _ server: RunningServer,
        through toggler: RunningServer? = nil,
        watchers: Int,
        toggles: Int
    ) throws -> WatchersReport {
        var target = ["--port", "\(server.port)", "--pid", "\(server.pid)"]
        if let toggler { target += ["--toggle-port", "\(toggler.port)"] }
        let command = [programs.load, "watchers"] + target + ["--watchers", "\(watchers)", "--toggles", "\(toggles)"]
        return try JSONDecoder().decode(WatchersReport.self, from: PinnedProcess.output(core: loadCore, command))
    }

    /// Loads several framed servers at the same time, each with lists of its own.
    func load(_ servers: [RunningServer], connections: Int, _ options: [String]) throws -> [LoadReport] {
        let commands = servers.enumerated().map { number, server in
            [programs.load, "load", "--port", "\(server.port)", "--pid", "\(server.pid)"]
                + ["--connections", "\(connections)", "--first-list", "\(number * connections)"] + options
        }
        return try PinnedProcess.outputs(core: loadCore, commands)
            .map { try JSONDecoder().decode(LoadReport.self, from: $0) }
    }

    func load(_ server: RunningServer, _ options: [String], onServersCore: Bool = false) throws -> LoadReport {
        let program = server.kind.isFramed ? [programs.load, "load"] : [programs.grpcLoad]
        let methods = server.kind == .marvelOverGRPC ? ["--methods", "marvel"] : []
        let target = ["--port", "\(server.port)", "--pid", "\(server.pid)"] + methods
        let core = onServersCore ? Laboratory.serverCore : loadCore
        let line = try PinnedProcess.output(core: core, program + target + options)
        return try JSONDecoder().decode(LoadReport.self, from: line)
    }
}
