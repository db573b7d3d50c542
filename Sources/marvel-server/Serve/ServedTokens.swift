import Foundation
import Logging
import ProgramSupport
import RPCCore
import RPCServer
import Synchronization

/// The tokens of a running server, from a file that is read again when it changes.
final class ServedTokens: Sendable {
    let control: AccessControl
    private let file: TokenFile
    /// The version that was read last, whether it was valid or not.
    private let seen: Mutex<TokenFile.Version?>

    /// - Throws: `StartupError` if the file is invalid.
    init(_ file: TokenFile, _ rules: AccessRules) throws(StartupError) {
        self.file = file
        seen = Mutex(file.version)
        control = AccessControl(rules, TokenTable(try file.read()))
    }

    /// Reads the file for a reload.
    ///
    /// - Returns: A function that replaces the tokens, and ends the streams of revoked ones; nil if the file did not
    ///   change.
    /// - Throws: `StartupError` if it is invalid. Then nothing changes.
    func prepare() throws(StartupError) -> (@Sendable () -> Void)? {
        let version = file.version
        guard version != seen.withLock(\.self) else { return nil }
        let table = TokenTable(try file.read())
        return { [self] in
            seen.withLock { $0 = version }
            control.replace(table)
        }
    }

    /// The time between two checks of the file. Streams of a revoked token end within five seconds.
    static let interval = Duration.seconds(2)

    /// Reads the file if it has changed, and ends the streams of expired tokens. An invalid file is logged, and the
    /// tokens do not change.
    func follow(_ logger: Logger) {
        control.noticeExpiries()
        let version = file.version
        let isNew = seen.withLock { seen in
            defer { seen = version }
            return seen != version
        }
        guard isNew else { return }
        do throws(StartupError) {
            let records = try file.read()
            control.replace(TokenTable(records))
            logger.notice("tokens loaded", metadata: ["count": .stringConvertible(records.count)])
        } catch {
            logger.error("tokens not loaded, still using the old ones", metadata: ["reason": "\(error)"])
        }
    }
}

extension ServerValues {
    /// The rules for callers without a token.
    var accessRules: AccessRules {
        var rules = AccessRules(ownUser: geteuid())
        rules.anonymousGrants = Grants(anonymousScopes)
        rules.peerNames = Dictionary(peers.map { ($0.user, $0.name) }) { _, last in last }
        rules.distrustsLoopback = requiresTokens
        return rules
    }

    /// The file need not exist.
    func tokenFile() throws(StartupError) -> TokenFile {
        if let tokens { return TokenFile(tokens) }
        return TokenFile(StateFolder.tokens(besideStore: try storePath()))
    }

    /// Checks that callers from other machines are known, if there can be any.
    ///
    /// - Throws: `StartupError` with the remedy.
    func checkAccess(at addresses: [ServerAddress], hasTokens: Bool) throws(StartupError) {
        let facts = ListeningFacts(
            remoteAddresses: addresses.filter { !$0.isLocal }.map(\.description),
            hasTLS: certificate != nil,
            hasTokens: hasTokens,
            hasClientCertificates: clientAuthorities != nil,
            isInsecure: isInsecure
        )
        if let problem = facts.problem { throw StartupError(.configuration, problem) }
    }
}
