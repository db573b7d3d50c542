import Access
import Logging
import ProgramSupport
import RPCCore
import RPCTransport
import ServiceLifecycle
import Synchronization

/// The tokens of a running server: those of a file, which is read again when it changes.
final class ServedTokens: Sendable {
    let control: AccessControl
    private let file: TokenFile
    /// The version that was read last, whether it could be used or not.
    private let seen: Mutex<TokenFile.Version?>

    /// Reads the file.
    ///
    /// - Throws: `StartupError` if it cannot be used.
    init(_ file: TokenFile, _ rules: AccessRules) throws(StartupError) {
        self.file = file
        seen = Mutex(file.version)
        control = AccessControl(rules, TokenTable(try file.read()))
    }

    /// Reads the file for a reload.
    ///
    /// - Returns: A function that puts the tokens in place of those before, and ends the streams of revoked ones; nil if the
    ///   file is as it was.
    /// - Throws: `StartupError` if it cannot be used. Nothing changes then.
    func prepare() throws(StartupError) -> (@Sendable () -> Void)? {
        let version = file.version
        guard version != seen.withLock(\.self) else { return nil }
        let table = TokenTable(try file.read())
        return { [self] in
            seen.withLock { $0 = version }
            control.replace(table)
        }
    }

    /// The result of a check of the file.
    enum Outcome {
        case unchanged
        case replaced(count: Int)
        /// The new file cannot be used. The tokens stay as they were.
        case refused(StartupError)
    }

    /// Reads the file if it has changed, and ends the streams of tokens that have expired.
    func check() -> Outcome {
        control.noticeExpiries()
        let version = file.version
        let isNew = seen.withLock { seen in
            defer { seen = version }
            return seen != version
        }
        guard isNew else { return .unchanged }
        do throws(StartupError) {
            let records = try file.read()
            control.replace(TokenTable(records))
            return .replaced(count: records.count)
        } catch {
            return .refused(error)
        }
    }
}

/// A service that takes changes of the tokens while the server runs.
struct TokenService: ServiceLifecycle.Service {
    let tokens: ServedTokens
    let logger: Logger

    /// The time between two looks. Streams of a revoked token end within five seconds.
    private static let interval = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                // The task is cancelled when the server stops.
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
                switch tokens.check() {
                case .unchanged: break
                case .replaced(let count):
                    logger.notice("tokens read", metadata: ["count": .stringConvertible(count)])
                case .refused(let error):
                    logger.error("the new tokens are not used, the old ones are", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
