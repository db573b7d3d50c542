import Foundation
import HTTPFraming
import Logging
import NIOCore
import ProgramSupport
import RPCCore
import RPCServer
import Synchronization
import TransportSecurity
import Upstream
import WebPage
import WireMessages

enum PortAddress: Equatable, Sendable {
    case off
    case address(ServerAddress)

    static let rule = "host:port, unix:/path, or off"

    init?(_ text: String) {
        if text == "off" {
            self = .off
        } else if let address = ServerAddress(text) {
            self = .address(address)
        } else {
            return nil
        }
    }
}

struct ServerPort {
    static let defaultOperations = ServerAddress.tcp(host: "127.0.0.1", port: 6162)

    let name: ServiceManager.SocketName
    let given: [PortAddress]
    let defaultAddress: ServerAddress

    /// The default address is only opened without a setting and without a socket.
    private var addresses: [ServerAddress] {
        guard !given.isEmpty else { return ServiceManager.inherited(name).isEmpty ? [defaultAddress] : [] }
        return given.compactMap { if case .address(let address) = $0 { address } else { nil } }
    }

    /// Includes sockets of the service manager. Empty if the port is off.
    var served: [ServerAddress] { addresses + ServiceManager.inherited(name).map(\.address) }

    func endpoints(_ wire: ServerWire) -> [ListeningEndpoint] {
        addresses.map { ListeningEndpoint($0, wire: wire) }
            + ServiceManager.inherited(name).map { ListeningEndpoint($0.address, wire: wire, socket: $0.descriptor) }
    }

    /// A disabled port must not have a socket.
    fileprivate func checkSockets() throws(StartupError) {
        guard given.contains(.off), !ServiceManager.inherited(name).isEmpty else { return }
        throw StartupError(
            .configuration,
            "\(name).address is off, but the service manager opened a socket for that port: remove one of them"
        )
    }
}

extension ServerValues {
    private var framedPort: ServerPort { ServerPort(name: .framed, given: framed, defaultAddress: .default) }
    private var httpPort: ServerPort { ServerPort(name: .http, given: http, defaultAddress: .defaultHTTP) }
    var operationsPort: ServerPort {
        ServerPort(name: .operations, given: operations, defaultAddress: ServerPort.defaultOperations)
    }

    var endpoints: [ListeningEndpoint] {
        let isUpstream = if case .gateway = catalog { true } else { false }
        let rules = HTTPRules(
            corsOrigins: Set(corsOrigins),
            compressesAnswers: compressesAnswers,
            hasUpstreamPictures: isUpstream,
            files: (showsPage ? WebPage.files : []) + (offersReflection ? [.openAPI] : [])
        )
        return endpoints(rules)
    }

    private func endpoints(_ rules: HTTPRules) -> [ListeningEndpoint] {
        framedPort.endpoints(.framed) + httpPort.endpoints(.http(rules))
    }

    func checkSockets() throws(StartupError) {
        for port in [framedPort, httpPort, operationsPort] { try port.checkSockets() }
    }

    var offersReflection: Bool { reflection ?? endpoints(HTTPRules()).allSatisfy(\.address.isLocal) }
}

extension StaticFile {
    fileprivate static let openAPI = StaticFile(
        path: "/openapi.json",
        mediaType: "application/json",
        bytes: ByteBuffer(staticString: OpenAPI.json),
        headers: ["cache-control": "no-cache", "x-content-type-options": "nosniff"]
    )
}

extension ServerValues {
    /// Nil for clear text. The logger is for later replacements of the certificate.
    func openTLS(_ logger: Logger) throws(StartupError) -> ServerTLS? {
        guard let certificate, let certificateKey else { return nil }
        var files = ServerTLSFiles(certificate: certificate, key: certificateKey)
        files.clientAuthentication = clientAuthentication
        files.clientAuthorities = clientAuthorities
        return try ServerTLS(files, logger: logger)
    }
}

extension ServerTLS {
    /// The clients of a unix socket are on this machine.
    func protect(_ endpoints: [ListeningEndpoint]) -> [ListeningEndpoint] {
        endpoints.map { endpoint in
            guard case .tcp = endpoint.address else { return endpoint }
            return protect(endpoint, by: endpoint.wire == .framed ? .framed : .http)
        }
    }

    /// Skips this machine's own addresses.
    func protectPages(_ endpoints: [ListeningEndpoint]) -> [ListeningEndpoint] {
        endpoints.map { $0.address.isLocal ? $0 : protect($0, by: .http1) }
    }

    private func protect(_ endpoint: ListeningEndpoint, by protocols: ApplicationProtocols) -> ListeningEndpoint {
        ListeningEndpoint(
            endpoint.address,
            wire: endpoint.wire,
            socket: endpoint.socket,
            security: security(for: protocols)
        )
    }

    var counters: Logger.Metadata {
        let reloads = reloads
        return [
            "certificateReloads": .stringConvertible(reloads.successes),
            "certificateReloadFailures": .stringConvertible(reloads.failures),
        ].filter { "\($0.value)" != "0" }
    }
}

final class ServedTokens: Sendable {
    let control: AccessControl
    private let file: TokenFile
    private let followed: Mutex<FollowedFiles>

    init(_ file: TokenFile, _ rules: AccessRules) throws(StartupError) {
        self.file = file
        followed = Mutex(FollowedFiles([file.path]))
        control = AccessControl(rules, TokenTable(try file.readIfPresent()))
    }

    /// Reads the file for a reload.
    ///
    /// - Returns: A function that replaces the tokens, and ends the streams of revoked ones; nil if the file did not
    ///   change since it was read.
    /// - Throws: `StartupError` if it is invalid or no longer there. Then nothing changes.
    func prepare() throws(StartupError) -> (@Sendable () -> Void)? {
        guard let version = followed.withLock(\.versionToRead) else { return nil }
        let table = TokenTable(try file.read())
        return { [self] in
            followed.withLock { $0.wereRead(version) }
            control.replace(table)
        }
    }

    /// Streams of a revoked token end within five seconds.
    static let interval = Duration.seconds(2)

    /// Reads the file if it has changed or could not be read, and ends the streams of expired tokens. An invalid
    /// or missing file is logged, and the tokens do not change.
    func follow(_ logger: Logger) {
        control.noticeExpiries()
        guard let version = followed.withLock(\.versionToRead) else { return }
        do throws(StartupError) {
            let records = try file.read()
            followed.withLock { $0.wereRead(version) }
            control.replace(TokenTable(records))
            logger.notice("tokens loaded", metadata: ["count": .stringConvertible(records.count)])
        } catch {
            guard followed.withLock({ $0.failed(version, reason: "\(error)") }) else { return }
            logger.error("tokens not loaded, still using the old ones", metadata: ["reason": "\(error)"])
        }
    }
}

extension ServerValues {
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

    func checkAccess(at addresses: [ServerAddress], hasTokens: Bool) throws(StartupError) {
        let problem = AccessRules.problem(
            ofListeningAt: addresses.filter { !$0.isLocal },
            hasTLS: certificate != nil,
            hasTokens: hasTokens,
            hasClientCertificates: clientAuthorities != nil,
            isInsecure: isInsecure
        )
        guard let problem else { return }
        // `token create` does not read these settings, which may choose another file than its own default.
        let file = try tokenFile().path
        let hint =
            certificate != nil ? "; this server reads the tokens in \(file): create one with --tokens \(file)" : ""
        throw StartupError(.configuration, problem + hint)
    }
}
