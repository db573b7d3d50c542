import RPCCore
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
        #expect(run.errors.contains("MARVEL_TOKEN is not a valid token"))
        #expect(!(run.errors + run.output).contains(Self.token.secret.dropFirst(5)))
    }
}
