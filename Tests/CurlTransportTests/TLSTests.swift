import MarvelAPI
import Synchronization
import TestCertificates
import Testing

@testable import CurlTransport

/// Nobody is believed without a certificate for the host that was asked.
@Suite(.timeLimit(.minutes(2)), .enabled(if: TestCertificates.canBeMade, "openssl is not installed"))
struct TLSTests {
    private func answer(
        from identity: (TestCertificates) async throws -> TestCertificates.Pair,
        trusting file: (TestCertificates) -> String? = { $0.authority() }
    ) async throws -> Result<HTTPResponse, HTTPFetchError> {
        let certificates = try await TestCertificates()
        let server = try TestTLSServer(try await identity(certificates))
        let transport = try CurlTransport(CurlSettings(certificateAuthorities: file(certificates)))
        do throws(HTTPFetchError) {
            return .success(try await transport.get(server.url + "?apikey=MARKER"))
        } catch {
            return .failure(error)
        }
    }

    @Test func aGoodCertificateOfAConfiguredAuthorityIsTrusted() async throws {
        #expect(try await answer { try await $0.issue() }.get().status == 200)
    }

    @Test func anExpiredCertificateIsRefused() async throws {
        let result = try await answer { try await $0.issue("server", .ended) }
        #expect(result == .failure(.untrusted("its certificate has expired")))
    }

    @Test func aCertificateOfTheFutureIsRefused() async throws {
        let result = try await answer { try await $0.issue("server", .begins) }
        #expect(result == .failure(.untrusted("its certificate is not valid yet")))
    }

    @Test(arguments: ["DNS:gateway.example", "IP:127.0.0.2", "DNS:127.0.0.1.example"])
    func aCertificateForAnotherHostIsRefused(names: String) async throws {
        let result = try await answer { try await $0.issue(for: names) }
        #expect(result == .failure(.untrusted("its certificate is for another host")))
    }

    @Test func aSelfSignedCertificateIsRefused() async throws {
        let result = try await answer {
            TestCertificates.Pair(certificate: $0.authority(.foreign), key: $0.path("foreign.key"))
        }
        #expect(result == .failure(.untrusted("its certificate is self-signed")))
    }

    @Test func aCertificateOfAStrangersAuthorityIsRefused() async throws {
        let result = try await answer { try await $0.issue(by: .foreign) }
        #expect(result == .failure(.untrusted("its certificate comes from an authority that is not trusted")))
    }

    @Test func aCertificateThatIsNotForServersIsRefused() async throws {
        let result = try await answer { try await $0.issue(usage: "clientAuth") }
        #expect(result == .failure(.untrusted("its certificate is not acceptable (OpenSSL result 26)")))
    }

    @Test func withoutConfigurationTheSystemsAuthoritiesDecide() async throws {
        let result = try await answer(from: { try await $0.issue() }, trusting: { _ in nil })
        #expect(result == .failure(.untrusted("its certificate comes from an authority that is not trusted")))
    }

    @Test func aFileOfAuthoritiesThatIsNotThereTrustsNobody() async throws {
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

    /// RFC 7301: the names of the protocols, each behind its length, stand in the clear in the first message.
    @Test func http2IsOffered() async throws {
        let hello = Mutex<[UInt8]>([])
        let server = try TestServer { connection in
            let bytes = connection.clientHello()
            hello.withLock { $0 = bytes }
        }
        _ = try await CurlTransport().failure(server.url(scheme: "https"))
        let offer = [2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8)
        #expect(hello.withLock { $0 }.contains(offer))
    }
}
