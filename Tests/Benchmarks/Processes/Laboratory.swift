import Catalog
import Foundation
import Framing
import MarvelDomain
import NIOCore
import WireMessages

/// Starts servers and loads, each on its core.
struct Laboratory {
    /// The numbers of the lists that are toggled and read.
    static let lists = Array(0..<16)
    /// The calls whose answers all servers of pages are compared by.
    private static let comparedCalls = 400
    static let serverCore = 0

    let programs: Programs
    /// For stores, logs and answers; the caller removes it.
    let folder: URL
    /// A core of its own for the load if there are two.
    let loadCore = min(1, ProcessInfo.processInfo.processorCount - 1)

    /// The characters of the synthetic catalog: so many that a stream of a hundred pages has them.
    private(set) var characterCount = 100_000
    var catalog: String { "synthetic:\(characterCount)" }

    init(programs: Programs, folder: URL) { (self.programs, self.folder) = (programs, folder) }

    /// Returns a laboratory with another catalog, and a folder of its own for its calls.
    func with(characters count: Int) throws -> Laboratory {
        let own = folder.appendingPathComponent("synthetic-\(count)")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        var laboratory = Laboratory(programs: programs, folder: own)
        laboratory.characterCount = count
        return laboratory
    }

    /// Starts marvel-server with a new store: a file of its own, or that of the database at an address.
    func startMarvelServer(
        catalog: String? = nil,
        database: String? = nil,
        lists: Int = 0,
        core: Int? = Laboratory.serverCore,
        overGRPC: Bool = false,
        options: [String] = []
    ) throws -> RunningServer {
        let store = folder.appendingPathComponent("favorites-\(UUID().uuidString).sqlite")
        if lists > 0 { try importLists(lists, into: store) }
        let address = ["--framed", "127.0.0.1:0", "--http", overGRPC ? "127.0.0.1:0" : "off", "--operations", "off"]
        let place = ["--store", database ?? store.path, "--catalog", catalog ?? self.catalog]
        let command = [programs.server] + address + place + ["--set", "max-lists=100000000"] + options
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

    /// Starts a reference that answers with pages, or with ready bytes.
    func startReference(_ kind: ServerKind) throws -> RunningServer {
        let command: [String]
        if kind == .floor {
            command = [programs.floorServer, "--response", folder.appendingPathComponent("response").path]
        } else {
            let program = kind == .grpc ? programs.grpcServer : programs.pagesServer
            let files = ["--catalog", try file("catalog").path, "--lists", try file("marks").path]
            command = [program] + files + (kind == .encoding ? ["--encode"] : [])
        }
        return try RunningServer(kind, command, core: Laboratory.serverCore, folder: folder)
    }

    /// Fills the lists that are read, and those that pages mark, and keeps a page for the reference of ready bytes.
    func fill(_ server: RunningServer) throws {
        let client = try FrameClient(port: server.framedPort)
        let lists = Laboratory.lists
        try client.succeed(Workload.toggles(5 * lists.count, lists: lists))
        guard server.kind != .favorites else { return }
        try client.succeed(CatalogCalls(count: characterCount).marks())
        let page = try ResponseEnvelope(decoding: client.call(Workload.pageCall).data, limit: .response)
        try write(page.payload, to: "response")
    }

    /// Compares the answers of servers to the same calls, byte by byte.
    ///
    /// - Throws: `BenchmarkError` if a server answers otherwise than the first one.
    func compare(_ servers: [RunningServer], _ workload: Workload) throws {
        let digests = try servers.map { server in
            let command = try loadCommand(server, workload, ["--digests", "\(Laboratory.comparedCalls)"])
            return try JSONDecoder().decode([String].self, from: PinnedProcess.output(core: loadCore, command))
        }
        for (server, own) in zip(servers, digests) where own != digests[0] {
            let call = zip(own, digests[0]).enumerated().first { $1.0 != $1.1 }?.offset ?? own.count
            throw BenchmarkError("\(server.kind.rawValue) answers call \(call) of \(workload) otherwise")
        }
    }

    // MARK: Files

    /// The Request frames of a workload, for the loads.
    private func requests(_ workload: Workload, lists: [Int]) throws -> URL {
        guard let calls = workload.calls(lists: lists) else { return try file(workload.rawValue) }
        return try write(workload.frames(calls), to: "\(workload.rawValue)-\(lists[0])")
    }

    /// A file that is made of the catalog at its first use.
    private func file(_ name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        guard !FileManager.default.fileExists(atPath: file.path) else { return file }
        let calls = CatalogCalls(count: characterCount)
        // Small catalogs have no streams of a hundred pages.
        if name == Workload.stream.rawValue { return try write(Workload.stream.frames(calls.streams()), to: name) }
        try write(calls.catalogFile(), to: "catalog")
        try write(Workload.toggle.frames(calls.marks()), to: "marks")
        try write(Workload.page.frames(calls.pages()), to: Workload.page.rawValue)
        try write(Workload.suggest.frames(calls.suggestions()), to: Workload.suggest.rawValue)
        return file
    }

    /// Makes a store with lists of one favorite.
    private func importLists(_ count: Int, into store: URL) throws {
        let text = (0..<count).map { number in
            let id = Workload.characters[number % Workload.characters.count].id
            let character =
                #"{"comics":1,"description":"","events":1,"id":\#(id),"name":"N","series":1,"stories":1,"urls":[]}"#
            let favorite = #"{"character":\#(character),"savedAt":{"nanoseconds":0,"seconds":1700000000}}"#
            return #"{"favorites":[\#(favorite)],"list":"\#(Workload.listName(number))"}"# + "\n"
        }
        let file = try write(ByteBuffer(string: text.joined()), to: "lists")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try PinnedProcess.output(core: nil, [programs.server, "lists", store.path, "--import", file.path])
    }

    @discardableResult
    private func write(_ bytes: ByteBuffer, to name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try Data(bytes.readableBytesView).write(to: file)
        return file
    }

    // MARK: Loads

    /// Watches a list, and toggles through another server of the same store, or the same one if it is nil.
    func watch(
        _ server: RunningServer,
        through toggler: RunningServer? = nil,
        watchers: Int,
        perConnection: Int = 100,
        toggles: Int
    ) throws -> WatchersReport {
        var target = ["--port", "\(server.port)", "--pid", "\(server.pid)"]
        if let toggler { target += ["--toggle-port", "\(toggler.port)"] }
        let command =
            [programs.bench, "watchers"] + target
            + ["--watchers", "\(watchers)", "--per-connection", "\(perConnection)", "--toggles", "\(toggles)"]
        return try JSONDecoder().decode(WatchersReport.self, from: PinnedProcess.output(core: loadCore, command))
    }

    /// Loads several servers with toggles at the same time, each on as many lists of its own as it has connections.
    func toggle(_ servers: [RunningServer], connections: Int, _ options: [String]) throws -> [LoadReport] {
        let commands = try servers.enumerated().map { number, server in
            let lists = Array(number * connections..<(number + 1) * connections)
            let options = ["--connections", "\(connections)"] + options
            return try loadCommand(server, .toggle, lists: lists, options)
        }
        return try PinnedProcess.outputs(core: loadCore, commands)
            .map { try JSONDecoder().decode(LoadReport.self, from: $0) }
    }

    func load(
        _ server: RunningServer,
        _ workload: Workload,
        lists: [Int] = Laboratory.lists,
        _ options: [String],
        onServersCore: Bool = false
    ) throws -> LoadReport {
        let core = onServersCore ? Laboratory.serverCore : loadCore
        let line = try PinnedProcess.output(core: core, loadCommand(server, workload, lists: lists, options))
        return try JSONDecoder().decode(LoadReport.self, from: line)
    }

    private func loadCommand(
        _ server: RunningServer,
        _ workload: Workload,
        lists: [Int] = Laboratory.lists,
        _ options: [String]
    ) throws -> [String] {
        let program = server.kind.isFramed ? programs.framedLoad : programs.grpcLoad
        let methods = server.kind == .marvelOverGRPC ? ["--methods", "marvel"] : []
        let target = ["--port", "\(server.port)", "--pid", "\(server.pid)"]
        return [program] + target + ["--requests", try requests(workload, lists: lists).path] + methods + options
    }
}
