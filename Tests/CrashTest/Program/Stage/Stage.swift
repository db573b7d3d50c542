import Foundation
import LongRuns
import MarvelClient

/// The server, its store, and the folder where everything is.
final class Stage {
    let cleaner: Cleaner
    let program: String
    private let folder: String
    private var startCount = 0
    private var running: ServerProcess?

    /// The variables of the server's environment beside this program's own; for a fault that needs them.
    var environment: [String: String] = [:]

    init(server: String, folder: String) throws {
        guard FileManager.default.isExecutableFile(atPath: server) else {
            throw RunError("there is no program \(server)")
        }
        program = server
        self.folder = folder
        cleaner = Cleaner(folder: folder)
        try FileManager.default.createDirectory(atPath: storeFolder, withIntermediateDirectories: true)
    }

    /// The folder of the store alone, so that it can be another disk.
    var storeFolder: String { path("store") }
    /// The address of the server in each of its processes: for clients that outlive them.
    var lastingAddress: ServerAddress { .unix(path: path("socket")) }
    var lastWords: String { running?.lastWords ?? "" }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Starts the server on the store.
    ///
    /// - Parameter runner: A program, and its arguments, that runs it.
    /// - Throws: `ServerRefused` if it ends by itself.
    func start(through runner: [String] = []) async throws {
        startCount += 1
        let store = storeFolder + "/favorites.sqlite"
        let framed = ["--framed", "127.0.0.1:0", "--framed", lastingAddress.description]
        let addresses = framed + ["--http", "off", "--operations", "off"]
        running = try await ServerProcess(
            runner + [program, "--store", store] + addresses,
            environment: environment,
            log: path("log-\(startCount)"),
            isRun: !runner.isEmpty,
            cleaner: cleaner
        )
    }

    /// - Throws: If it is not running, or no longer.
    func server() throws -> ServerProcess {
        guard let running, running.isRunning else { throw RunError("the server has ended by itself") }
        return running
    }

    /// Has the server stop by itself, unless it has ended already.
    func stop() async throws { try await running?.stop() }

    /// Checks that everything can be read, whatever is wrong with writing.
    func checkReads(of lists: [ListName]) async throws {
        let client = MarvelClient(servers: [try server().address], retries: false)
        for list in lists { _ = try await client.favorites(list: list) }
        await client.shutdown()
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

    /// Nothing is written any more; callers are told so, and who asks for the server's health.
    func checkWritesAreRefused(on list: ListName) async throws {
        guard let error = try await writeError(on: list), error.reason == .storeReadOnly else {
            throw RunError("a toggle was not refused although a sync had failed")
        }
        let client = MarvelClient(servers: [try server().address], retries: false)
        let health = try await client.health()
        await client.shutdown()
        guard health == .notServing else { throw RunError("a sync had failed, and health says \(health)") }
    }

    /// Tries a toggle that changes nothing: its answer is written down all the same.
    private func writeError(on list: ListName) async throws -> RPCError? {
        let client = MarvelClient(servers: [try server().address], retries: false)
        let failure: RPCError?
        do {
            _ = try await client.toggleFavorite(1, desired: .removed, list: list)
            failure = nil
        } catch {
            failure = error
        }
        await client.shutdown()
        return failure
    }
}
