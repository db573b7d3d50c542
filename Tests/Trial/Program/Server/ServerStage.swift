import Foundation
import Glibc
import MarvelClient

/// The servers of a trial, which faults break, and the folder with all their files.
protocol Stage: AnyObject {
    var cleaner: Cleaner { get }
    /// The addresses of the servers as they run now.
    func addresses() throws -> [ServerAddress]
    /// The addresses that the servers keep when they start again.
    var lastingAddresses: [ServerAddress] { get }
    /// Whether a read at one server may be behind what another one answered.
    var hasReplicas: Bool { get }
    var lastWords: String { get }
    /// Counts for the report; nil if there are none.
    var summary: String? { get }
    func start() async throws
}

/// One server with its store.
final class ServerStage: Stage {
    let cleaner: Cleaner
    private let program: String
    let hasReplicas = false
    let summary: String? = nil
    private let folder: String
    private var startCount = 0
    private var running: ServerProcess?

    /// The variables of the server's environment beside this program's own; for a fault that needs them.
    var environment: [String: String] = [:]

    init(server: String, folder: String) throws {
        program = server
        self.folder = folder
        cleaner = Cleaner(folder: folder)
        try FileManager.default.createDirectory(atPath: storeFolder, withIntermediateDirectories: true)
    }

    /// The folder of the store alone, so that it can be another disk.
    var storeFolder: String { path("store") }
    var store: String { storeFolder + "/favorites.sqlite" }
    var lastingAddresses: [ServerAddress] { [.unix(path: path("socket"))] }
    var lastWords: String { running?.lastWords ?? "" }

    func path(_ name: String) -> String { folder + "/" + name }
    func addresses() throws -> [ServerAddress] { [try server().address] }

    /// Starts the server on the store.
    ///
    /// - Throws: `ServerRefused` if it ends by itself.
    func start() async throws {
        startCount += 1
        let framed = ["--framed", "127.0.0.1:0", "--framed", lastingAddresses[0].description]
        running = try await ServerProcess(
            [program, "--store", store] + framed + ["--http", "off", "--operations", "off"],
            environment: environment,
            listeners: 2,
            log: path("log-\(startCount)"),
            cleaner: cleaner
        )
    }

    /// - Throws: If it is not running, or no longer.
    func server() throws -> ServerProcess {
        guard let running, running.isRunning else { throw RunError("the server ended unexpectedly") }
        return running
    }

    func kill() async throws { try await server().end(with: SIGKILL) }

    /// Has the server stop by itself, unless it has ended already.
    func stop() async throws { try await running?.end(with: SIGTERM) }

    // MARK: Calls

    /// Calls the server over a connection of its own.
    func withClient<Result>(_ body: (MarvelClient) async throws -> Result) async throws -> Result {
        let client = MarvelClient(servers: try addresses().map { ServerEndpoint($0) }, retries: false)
        do {
            let result = try await body(client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Reads all lists, which must be possible whatever is wrong with writing.
    @discardableResult
    func read(_ lists: [ListName]) async throws -> [ListName: FavoritesList] {
        try await withClient { client in
            var contents: [ListName: FavoritesList] = [:]
            for list in lists { contents[list] = try await client.favorites(list: list).list }
            return contents
        }
    }

    /// Checks that failures end: a toggle succeeds, at the latest after a few retries.
    func checkWrites(on list: ListName) async throws {
        var attempts = 0
        while let error = try await writeError(on: list) {
            attempts += 1
            guard attempts < 50 else { throw RunError("the store has not recovered: \(error)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Checks that nothing is written any more, and that callers and health checks are told so.
    func checkWritesAreRefused(on list: ListName) async throws {
        guard let error = try await writeError(on: list), error.reason == .storeReadOnly else {
            throw RunError("a toggle was accepted after a failed sync")
        }
        let health = try await withClient { try await $0.health() }
        guard health == .notServing else { throw RunError("a sync failed, but health says \(health)") }
    }

    /// Tries a toggle that changes nothing: its answer is written down all the same.
    private func writeError(on list: ListName) async throws -> RPCError? {
        try await withClient { client in
            do {
                _ = try await client.toggleFavorite(1, desired: .removed, list: list)
                return nil
            } catch let error as RPCError {
                return error
            }
        }
    }
}
