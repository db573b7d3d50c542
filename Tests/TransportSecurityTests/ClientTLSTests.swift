import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import RPCCore
import TestCertificates
import Testing

@testable import TransportSecurity

@Suite(.enabled(if: TestCertificates.canBeMade))
struct ClientTLSTests {
    /// As without a free descriptor for the system's authorities.
    @Test func aFailedSetUpIsRepeatedForTheNextConnection() async throws {
        let certificates = try await TestCertificates()
        let path = certificates.path("later.pem")
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(path)
        let tls = ClientTLS(configuration)
        let server = ServerEndpoint(.tcp(host: "localhost", port: 1), isSecure: true)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        await #expect(throws: SecurityError.self) {
            _ = try await tls.security.prepare(server, eventLoop).get()
        }
        try FileManager.default.copyItem(atPath: certificates.authority(), toPath: path)
        _ = try await tls.security.prepare(server, eventLoop).get()
    }
}
