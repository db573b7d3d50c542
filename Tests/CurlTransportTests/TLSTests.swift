import MarvelDomain
import TestCertificates
import Testing
import Upstream

@testable import CurlTransport

/// Nobody is believed without a certificate for the host that was asked.
@Suite(.timeLimit(.minutes(10)), .enabled(if: TestCertificates.canBeMade, "openssl is not installed"))
struct TLSTests {
    typealias Identity = @Sendable (TestCertificates) async throws -> TestCertificates.Pair

    private func answer(
        from identity: Identity,
        trusting file: (TestCertificates) -> String? = { $0.authority() }
    ) async throws -> Result<HTTPResponse, SourceError> {
        let certificates = try await TestCertificates()
        let server = try TestTLSServer(try await identity(certificates))
        let transport = try CurlTransport(CurlSettings(certificateAuthorities: file(certificates)))
        do throws(SourceError) {
            return .success(try await transport.get(server.url + "?apikey=MARKER"))
        } catch {
            return .failure(error)
        }
    }

    @Test func aGoodCertificateOfAConfiguredAuthorityIsTrusted() async throws {
        #expect(try await answer { try await $0.issue() }.get().status == 200)
    }

    private static let otherHost = "its certificate is for another host"

    private static let faults: [(String, Identity)] = [
        ("its certificate has expired", { try await $0.issue("server", .ended) }),
        ("its certificate is not valid yet", { try await $0.issue("server", .begins) }),
        (otherHost, { try await $0.issue(for: "DNS:gateway.example") }),
        (otherHost, { try await $0.issue(for: "IP:127.0.0.2") }),
        (otherHost, { try await $0.issue(for: "DNS:127.0.0.1.example") }),
        ("its certificate is self-signed", { .init(certificate: $0.authority(.foreign), key: $0.path("foreign.key")) }),
        ("the issuer of its certificate is not trusted", { try await $0.issue(by: .foreign) }),
        ("its certificate was rejected (OpenSSL result 26)", { try await $0.issue(usage: "clientAuth") }),
    ]

    @Test(arguments: faults)
    func aCertificateThatProvesNothingIsRefused(_ fault: String, _ identity: Identity) async throws {
        #expect(try await answer(from: identity) == .failure(.untrusted(fault)))
    }

    @Test func withoutConfigurationTheSystemsAuthoritiesDecide() async throws {
        let result = try await answer(from: { try await $0.issue() }, trusting: { _ in nil })
        #expect(result == .failure(.untrusted("the issuer of its certificate is not trusted")))
    }

    @Test func aMissingFileOfAuthoritiesIsRefused() async throws {
        let result = try await answer(from: { try await $0.issue() }, trusting: { $0.path("missing.pem") })
        #expect(result == .failure(.failed("the file of certificate authorities cannot be read")))
    }

    @Test func plainHTTPOnASecurePortIsRefused() async throws {
        let server = try TestServer { connection in
            _ = connection.clientHello()
            connection.send(Answer.ok("plain"))
        }
        let error = try await CurlTransport().failure(server.url(scheme: "https"))
        #expect(error == .untrusted("the TLS handshake failed"))
    }
}
