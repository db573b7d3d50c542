import ChildProcesses
import Foundation
import MarvelClient
import Testing

/// Edits of characters as their operator and everyone else see them, with the programs as they are shipped.
@Suite(.timeLimit(.minutes(10)))
struct CurationTests {
    private static let hulk = "1009351"
    private static let png =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 1_000_000)

    private static func client(of stand: Stand) throws -> MarvelClient {
        MarvelClient(servers: [try #require(ServerEndpoint(stand.address))])
    }

    /// The process ends with SIGKILL as soon as the edits are acknowledged and seen.
    @Test func othersSeeAnEditImmediatelyAndAfterAKill() async throws {
        let folder = try TemporaryFolder()
        try await Stand.run(serverArguments: ["--allow-edits"], folder: folder) { stand in
            let other = try Self.client(of: stand)
            #expect(try await stand.marvel("toggle", Self.hulk, "--save").status == 0)

            let picture = stand.folder.path("picture.png")
            try Self.png.write(to: URL(fileURLWithPath: picture))
            try await succeeded(stand.marvel("edit", Self.hulk, "--name", "Joe Fixit", "--picture", picture))
            try await succeeded(stand.marvel("create", "--name", "Qwerty-Man", "--json"))
            try await expectEdits(other)
            stand.server.send(SIGKILL)
            await other.shutdown()
        }
        try await Stand.run(folder: folder) { stand in
            let client = try Self.client(of: stand)
            try await expectEdits(client)
            #expect(try await client.favorites().list.revision == 1)
            try await succeeded(marvelServer("check", stand.store))
            // Only an operator allows edits.
            let create = try await stand.marvel("create", "--name", "x")
            #expect(create.status == 71 && create.errors.contains("--allow-edits"), "\(create.errors)")
            await client.shutdown()
        }
    }

    private func expectEdits(_ client: MarvelClient) async throws {
        var names: [String] = []
        for try await page in client.searchCharacters("qwerty") { names += page.characters.map(\.name) }
        for try await page in client.searchCharacters("joe fix") { names += page.characters.map(\.name) }
        #expect(names == ["Qwerty-Man", "Joe Fixit"])
        let picture = try await client.thumbnail(of: 1_009_351, variant: .standardLarge)
        #expect(Data(picture.bytes) == Self.png)
        #expect(try await client.favorites().list.favorites.map(\.character.name) == ["Hulk"], "as it was saved")
    }

    @Test func theOperatorUndoesEdits() async throws {
        let folder = try TemporaryFolder()
        var store = ""
        try await Stand.run(serverArguments: ["--allow-edits"], folder: folder) { stand in
            store = stand.store
            #expect(try await stand.marvel("edit", Self.hulk, "--name", "Joe Fixit").status == 0)
            let refused = try await marvelServer("revert", store, Self.hulk)
            #expect(refused.status == 1 && refused.errors.contains("in use by"), "\(refused.errors)")
        }
        let reverted = try await marvelServer("revert", store, Self.hulk)
        #expect(reverted.output == "reverted 1009351, at revision 2\n", "\(reverted.errors)")
        let none = try await marvelServer("revert", store, "5")
        #expect(none.status == 1 && none.errors == "the character 5 has no edits\n", "\(none.errors)")
        try await Stand.run(folder: folder) { stand in
            let client = try Self.client(of: stand)
            #expect(try await client.character(id: 1_009_351).character.name == "Hulk")
            await client.shutdown()
        }
    }
}
