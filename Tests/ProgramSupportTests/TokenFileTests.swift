import ChildProcesses
import Foundation
import RPCCore
import Testing

@testable import ProgramSupport

@Suite struct TokenFileTests {
    private let folder: TemporaryFolder
    private let file: TokenFile

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(folder.path("tokens.json"))
    }

    private static func record(_ id: String, expiry: Int64? = nil) -> TokenRecord {
        TokenRecord(
            id: id,
            name: "reader",
            scopes: [.catalogRead, .admin],
            digest: TokenText(random: [UInt8](repeating: 1, count: 32)).digest,
            createdAt: 1_700_000_000,
            expiry: expiry
        )
    }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func recordsAreReadAsTheyWereWritten() throws {
        #expect(try file.readIfPresent().isEmpty)
        #expect(throws: StartupError.self) { try file.read() }
        let records = [Self.record("1"), Self.record("2", expiry: 1_800_000_000)]
        try file.change { $0 += records }
        #expect(try file.read() == records)
        #expect(try mode() == 0o600)
        try file.change { $0.removeFirst() }
        #expect(try file.read() == [records[1]])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["tokens.json"])
    }

    /// A server may read the file by its other name.
    @Test func aChangeThroughALinkIsInTheFile() throws {
        try file.change { $0.append(Self.record("1")) }
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "tokens.json")
        try TokenFile(link).change { $0 = [Self.record("2")] }
        #expect(try file.read() == [Self.record("2")])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "tokens.json")
        // Also of one that leads to no file yet.
        try FileManager.default.removeItem(atPath: file.path)
        try TokenFile(link).change { $0 = [Self.record("3")] }
        #expect(try file.read() == [Self.record("3")])
    }

    /// The file holds nothing with which somebody could call.
    @Test func aTokenIsNotStored() throws {
        let token = TokenText(random: [UInt8](repeating: 1, count: 32))
        try file.change { $0.append(Self.record("1")) }
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text.contains("\"sha256\""))
        #expect(!text.contains(token.secret.dropFirst(5).prefix(10)))
    }

    /// Root may make tokens for a server that reads the file as a member of its group.
    @Test(.enabled(if: geteuid() == 0)) func aChangeByRootKeepsTheReaders() throws {
        _ = try folder.file("tokens.json", "{\"version\":1,\"tokens\":[]}", mode: 0o640)
        try #require(chown(file.path, 0, 65_532) == 0)
        try file.change { $0.append(Self.record("1")) }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(attributes[.groupOwnerAccountID] as? Int == 65_532)
    }

    @Test(arguments: [0o644, 0o604, 0o620])
    func aFileThatOthersMayUseIsRefused(_ mode: Int) throws {
        _ = try folder.file("tokens.json", "{\"version\":1,\"tokens\":[]}", mode: mode)
        let error = #expect(throws: StartupError.self) { try file.read() }
        #expect(error?.message.contains("has mode 0\(String(mode, radix: 8)), expected 0600") == true)
        // Not even a change hides it.
        #expect(throws: StartupError.self) { try file.change { $0 = [] } }
    }

    @Test(arguments: [
        "", "{", "[]", "{\"tokens\":[]}", "{\"version\":2,\"tokens\":[]}", "\u{0}",
        "{\"version\":1,\"tokens\":[{\"id\":\"1\"}]}",
    ])
    func anotherFileIsRefused(_ text: String) throws {
        _ = try folder.file("tokens.json", text, mode: 0o600)
        #expect(throws: StartupError.self) { try file.read() }
    }

    @Test(arguments: [
        ("name", "a b"), ("scopes", "catalog:all"), ("sha256", "00"), ("sha256", "xy"), ("createdAt", "yesterday"),
    ])
    func aRecordWithAWrongValueIsRefusedWithItsID(_ field: String, _ value: String) throws {
        var record: [String: Any] = [
            "id": "0f", "name": "a", "scopes": ["admin"], "createdAt": "2026-01-01T00:00:00Z",
        ]
        record[field] = field == "scopes" ? [value] : value
        let object: [String: Any] = ["version": 1, "tokens": [record]]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        _ = try folder.file("tokens.json", text, mode: 0o600)
        let error = #expect(throws: StartupError.self) { try file.read() }
        #expect(error?.message.contains(field == "createdAt" ? "is not a token file" : "the token 0f") == true)
    }

    @Test func twoTokensOfOneIDAreRefused() throws {
        try file.change { $0 += [Self.record("1"), Self.record("1")] }
        #expect(throws: StartupError.self) { try file.read() }
    }

    /// Commands that run at the same time do not undo each other's changes.
    @Test func changesWaitForEachOther() async throws {
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [file] in
                    #expect(throws: Never.self) { try file.change { $0.append(Self.record("\(number)")) } }
                }
            }
        }
        #expect(try file.read().count == 20)
    }
}

@Suite struct ClientTokenTests {
    private let folder: TemporaryFolder
    private let path: String
    private let token = TokenText(random: [UInt8](repeating: 5, count: 32))

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("token")
    }

    private func read(_ environment: [String: String]) throws(StartupError) -> TokenText? {
        try ClientToken.read { environment[$0] }
    }

    @Test func aTokenComesFromTheEnvironmentOrAFile() throws {
        #expect(try read([:]) == nil)
        #expect(try read(["MARVEL_TOKEN": token.secret]) == token)
        _ = try folder.file("token", "\(token.secret)\n", mode: 0o600)
        #expect(try read(["MARVEL_TOKEN_FILE": path]) == token)
    }

    @Test func anInvalidTokenIsRefusedAndNotRepeated() throws {
        _ = try folder.file("token", token.secret, mode: 0o644)
        let mistyped = token.secret.dropLast() + "?"
        for environment in [
            ["MARVEL_TOKEN": String(mistyped)], ["MARVEL_TOKEN": token.secret, "MARVEL_TOKEN_FILE": path],
            ["MARVEL_TOKEN_FILE": path], ["MARVEL_TOKEN_FILE": path + "-none"],
        ] {
            let error = #expect(throws: StartupError.self) { try self.read(environment) }
            #expect(error?.message.contains(token.secret.dropFirst(10).prefix(20)) == false)
        }
    }
}

extension TemporaryFolder {
    /// Writes a file, and returns its path.
    func file(_ name: String, _ text: String, mode: Int) throws -> String {
        let path = try file(name, text)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }
}
