import ChildProcesses
import Foundation
import MarvelDomain
import RPCCore
import Testing

@testable import ProgramSupport

@Suite(.timeLimit(.minutes(10))) struct MarvelKeysEnvironmentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ text: String) throws -> String { try folder.file("keys", text, mode: 0o600) }

    private func refusal(_ environment: [String: String]) -> String? {
        do throws(StartupError) {
            _ = try GatewayAccount.all(environment: environment)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func noVariablesMeanNoPairs() throws {
        #expect(try GatewayAccount.all(environment: ["MARVEL_PUBLIC_KEY": "", "PATH": "/bin"]).isEmpty)
    }

    @Test func aPairComesFromTheEnvironmentOrWithAFileOfTheOwners() throws {
        let path = try file("abcd\n")
        let expected = [GatewayAccount(try #require(MarvelKeys(publicKey: "1234", privateKey: "abcd")))]
        #expect(
            try GatewayAccount.all(environment: ["MARVEL_PUBLIC_KEY": "1234", "MARVEL_PRIVATE_KEY": "abcd"])
                == expected
        )
        #expect(
            try GatewayAccount.all(environment: ["MARVEL_PUBLIC_KEY": "1234", "MARVEL_PRIVATE_KEY_FILE": path])
                == expected
        )
    }

    @Test func aKeysFileHasAPairALine() throws {
        let path = try file("# public private\n\n1234 abcd\r\n  k2\tp2  \nk3 p3 unentitled\nk4 p4 forbidden\n")
        let accounts = try GatewayAccount.all(environment: ["MARVEL_KEYS_FILE": path])
        #expect(accounts.map(\.keys.publicKey) == ["1234", "k2", "k3", "k4"])
        #expect(accounts.map(\.status) == [.active, .active, .unentitled, .forbidden])
        #expect(MarvelSignature.isValid("ffd275c5130566a2916217b101f26150", timestamp: "1", keys: accounts[0].keys))
    }

    @Test(arguments: [0o644, 0o604, 0o620])
    func aFileThatOthersMayReadIsRefused(mode: Int) throws {
        let path = try folder.file("keys", "1234 abcd", mode: mode)
        let message = try #require(refusal(["MARVEL_KEYS_FILE": path]))
        #expect(message.contains("has mode 0\(String(mode, radix: 8)), expected 0600"))
        #expect(refusal(["MARVEL_PUBLIC_KEY": "1234", "MARVEL_PRIVATE_KEY_FILE": path]) != nil)
    }

    @Test func aFileOfRootMayBeReadByItsGroup() {
        for mode: mode_t in [0o400, 0o600, 0o440, 0o640] { #expect(SecretFile.isPrivate(mode: mode, owner: 0)) }
        for mode: mode_t in [0o444, 0o460, 0o450] { #expect(!SecretFile.isPrivate(mode: mode, owner: 0)) }
        for mode: mode_t in [0o440, 0o640] { #expect(!SecretFile.isPrivate(mode: mode, owner: 65_532)) }
    }

    /// The first read of a pipe gives what has been written so far.
    @Test func aSecretFromAPipeIsReadToItsEnd() async throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        async let secret = withTaskExecutorPreference(globalConcurrentExecutor) { () throws(StartupError) in
            try SecretFile.text(path, "MARVEL_PRIVATE_KEY_FILE")
        }
        // To open it for writing alone would block a thread until somebody reads.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        let writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try writer.write(contentsOf: Data("ab".utf8))
        var waiting: CInt = 1
        // Until the reader has taken the first part.
        while waiting > 0 {
            try #require(ioctl(writer.fileDescriptor, UInt(FIONREAD), &waiting) == 0)
            await Task.yield()
        }
        try writer.write(contentsOf: Data("cd".utf8))
        try writer.close()
        #expect(try await secret == "abcd")
    }

    @Test func halfAPairIsRefused() throws {
        #expect(refusal(["MARVEL_PUBLIC_KEY": "1234"])?.contains("without MARVEL_PRIVATE_KEY") == true)
        #expect(refusal(["MARVEL_PRIVATE_KEY": "abcd"])?.contains("without MARVEL_PUBLIC_KEY") == true)
        let both = ["MARVEL_PUBLIC_KEY": "1234", "MARVEL_PRIVATE_KEY": "abcd", "MARVEL_PRIVATE_KEY_FILE": "/dev/null"]
        #expect(refusal(both)?.contains("not both") == true)
    }

    @Test(arguments: ["MARVEL_KEYS_FILE", "MARVEL_PRIVATE_KEY_FILE"])
    func aFileThatIsNotThereIsNamedWithTheReason(variable: String) throws {
        let path = folder.path("none")
        #expect(refusal([variable: path]) == "\(variable): cannot read \(path): No such file or directory")
    }

    @Test(arguments: ["secret", "a secret c", "a secret forbidden c", "a secret\nsecret"])
    func aLineThatIsNotAPairIsRefusedWithoutBeingRepeated(text: String) throws {
        let message = try #require(refusal(["MARVEL_KEYS_FILE": try file(text)]))
        #expect(message.contains("line \(text.contains("\n") ? 2 : 1)"))
        #expect(!message.contains("secret"))
    }
}
