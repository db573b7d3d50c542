import Access
import Foundation
import Testing

@testable import marvel

@Suite struct ProgramTokenTests {
    private static let token = TokenText(random: [UInt8](repeating: 5, count: 32))

    @Test func aTokenInTheEnvironmentIsSent() async {
        let run = await Run("health", environment: ["MARVEL_TOKEN": Self.token.secret])
        #expect(run.token == Self.token.secret)
        #expect(await Run("health").token == nil)
    }

    @Test func aWrongTokenIsAUsageErrorThatDoesNotRepeatIt() async {
        let run = await Run("health", environment: ["MARVEL_TOKEN": Self.token.secret + "0"])
        #expect(run.status == .usage)
        #expect(run.errors.contains("MARVEL_TOKEN holds no token"))
        #expect(!(run.errors + run.output).contains(Self.token.secret.dropFirst(5)))
    }

    @Test func aTokenFileThatOthersMayReadIsRefused() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (mode, isRead) in [(0o600, true), (0o644, false)] {
            #expect(
                FileManager.default.createFile(
                    atPath: path,
                    contents: Data(Self.token.secret.utf8),
                    attributes: [.posixPermissions: mode]
                )
            )
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let run = await Run("health", environment: ["MARVEL_TOKEN_FILE": path])
            #expect((run.status == .usage) == !isRead, "\(run.errors)")
            #expect((run.token == Self.token.secret) == isRead)
        }
    }
}
