import Foundation
import MarvelClient
import Testing

/// The k-th sync or write of a thread fails while many toggle at once. What was acknowledged is
/// stored, what was refused is not, and reads go on.
///
/// A run tries a few k; with `MARVEL_EVERY_FAULT` set, each up to 60.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FileManager.default.isExecutableFile(atPath: strace)))
struct DiskFaultTests {
    private static let numbers: [Int] =
        ProcessInfo.processInfo.environment["MARVEL_EVERY_FAULT"] == nil ? [1, 2, 6] : Array(1...60)

    /// The disk is not what it was: no toggle is taken after it.
    @Test(arguments: numbers) func aFailedSyncEndsWritingAndLosesNothing(_ number: Int) async throws {
        try await run("fdatasync:error=EIO:when=\(number)") { client, outcome in
            // A thread that commits syncs more than twice.
            if number <= 2 { #expect(outcome.refusedCount > 0) }
            if outcome.refusedCount > 0 {
                let error = await #expect(throws: RPCError.self) { try await client.toggleFavorite(1_009_610) }
                #expect(error?.reason == .storeReadOnly)
            }
            let list = try await client.favorites().list
            #expect(list.favorites.count <= 5)
        } afterwards: { outcome, changeCount in
            // One whose sync failed may be there: its caller was told of an error, and may ask again.
            #expect((outcome.answers.count...outcome.answers.count + outcome.refusedCount).contains(changeCount))
        }
    }

    /// There is space again for the next one.
    @Test(arguments: numbers.map { 6 * $0 })
    func aFullDiskRefusesWhatItCannotKeepAndNoMore(_ number: Int) async throws {
        try await run("pwrite64:error=ENOSPC:when=\(number)") { client, outcome in
            let list = try await client.favorites().list
            #expect(list.favorites.count <= 5)
            #expect(outcome.answers.count > 0)
            let other = ListName("afterwards") ?? .default
            let afterwards = try await self.toggle(1_009_610, on: other, with: client)
            #expect(afterwards.revision == 1)
        } afterwards: { outcome, changeCount in
            #expect(changeCount == outcome.answers.count + (outcome.answers.isEmpty ? 0 : 1))
        }
    }

    /// Toggles once more than there are threads that commit. Each has a `number`-th write of its own, so that another
    /// one may meet its fault only now.
    private func toggle(_ id: Int64, on list: ListName, with client: MarvelClient) async throws -> ToggleResult {
        for _ in 0..<8 {
            do throws(RPCError) {
                return try await client.toggleFavorite(id, list: list)
            } catch {
                #expect(error.reason == .storeReadOnly, "\(error)")
            }
        }
        return try await client.toggleFavorite(id, list: list)
    }

    // MARK: A run

    @Test func slowCommitsAreLogged() async throws {
        let folder = try TemporaryFolder()
        // Made by a server without a fault: a first start syncs dozens of times.
        try await Stand.run(folder: folder) { _ in }
        let server = try RunningProgram(
            strace,
            [
                "--follow-forks", "--output=/dev/null", "--seccomp-bpf", "--trace=fdatasync",
                "--inject=fdatasync:delay_enter=1200000",
                RunningProgram.folder.appending(path: "marvel-server").path,
                "--framed", "127.0.0.1:0", "--store", folder.path("favorites.sqlite"),
            ]
        )
        let address = try await server.listeningAddress()
        let client = MarvelClient(servers: [try #require(ServerAddress(address))], retries: false)
        _ = try await client.toggleFavorite(1_009_610)
        try await server.waitForError(containing: "commits are slow")
        await client.shutdown()
        let line = try #require(try server.logLines().first { $0.message == "serving" })
        kill(pid_t(try #require(line.members["pid"] as? Int)), SIGTERM)
        #expect(await server.waitForEnd() == 0)
    }

    private struct Outcome {
        var answers: [(id: Int64, requestID: RequestID, answer: ToggleResult)] = []
        var refusedCount = 0
    }

    private func run(
        _ injection: String,
        whileRunning look: (MarvelClient, Outcome) async throws -> Void,
        afterwards compare: (Outcome, _ changeCount: Int) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("favorites.sqlite")
        // Made by a server without a fault: what is counted is nearly all of the toggles.
        try await Stand.run(folder: folder) { _ in }
        let server = try RunningProgram(
            strace,
            [
                "--follow-forks", "--output=/dev/null", "--seccomp-bpf", "--trace=fdatasync,pwrite64",
                "--inject=\(injection)",
                RunningProgram.folder.appending(path: "marvel-server").path,
                "--framed", "127.0.0.1:0", "--store", store,
            ]
        )
        var outcome = Outcome()
        // One that meets the fault while it opens the store says so and ends; the next start finds all as it was.
        if await server.hears("\"message\":\"listening\"") {
            let address = try await server.listeningAddress()
            let client = MarvelClient(servers: [try #require(ServerAddress(address))], retries: false)
            outcome = await toggleMuch(client)
            try await look(client, outcome)
            await client.shutdown()
            // By its own id, which the store's lock names: strace would leave its child running.
            let lock = try String(contentsOfFile: store + ".lock", encoding: .utf8)
            kill(try #require(pid_t(lock.split(separator: " ")[1])), SIGKILL)
        } else {
            #expect(server.errorText.contains("cannot start"), "\(server.errorText)")
        }
        await server.waitForEnd()
        try await Stand.run(folder: folder) { stand in
            let check = try await RunningProgram.run("marvel-server", ["check", "--json", store])
            #expect(check.status == 0, "\(check.output)\(check.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any]
            try compare(outcome, try #require(report?["changeCount"] as? Int))
            try await repeatAll(outcome, at: stand.address)
        }
    }

    /// Eight callers at once, on one list.
    private func toggleMuch(_ client: MarvelClient) async -> Outcome {
        let ids: [Int64] = [1_009_610, 1_009_368, 1_009_351, 1_009_220, 1_009_664, 1_009_189, 1_009_187, 1_009_268]
        return await withTaskGroup(of: Outcome.self) { group in
            for id in ids {
                group.addTask {
                    var outcome = Outcome()
                    for number in 1...12 {
                        guard let requestID = RequestID("\(id)-\(number)") else { continue }
                        do throws(RPCError) {
                            let answer = try await client.toggleFavorite(id, requestID: requestID)
                            outcome.answers.append((id, requestID, answer))
                        } catch {
                            #expect(error.reason == .storeReadOnly, "\(error)")
                            outcome.refusedCount += 1
                        }
                    }
                    return outcome
                }
            }
            return await group.reduce(into: Outcome()) { all, outcome in
                all.answers += outcome.answers
                all.refusedCount += outcome.refusedCount
            }
        }
    }

    private func repeatAll(_ outcome: Outcome, at address: String) async throws {
        let client = MarvelClient(servers: [try #require(ServerAddress(address))])
        for (id, requestID, answer) in outcome.answers {
            let again = try await client.toggleFavorite(id, requestID: requestID)
            #expect(again == answer, "\(requestID)")
        }
        await client.shutdown()
    }
}

private let strace = "/usr/bin/strace"
