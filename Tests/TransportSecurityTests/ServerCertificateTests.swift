import Foundation
import Logging
import RPCCore
import TestCertificates
import Testing

@testable import TransportSecurity

/// The checks of a server's files, before they are served.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct ServerCertificateTests {
    private static func refusal(_ files: ServerTLSFiles) -> String? {
        do throws(StartupError) {
            _ = try ServerCertificate(files, now: time(nil))
            return nil
        } catch {
            return error.message
        }
    }

    @Test func aGoodCertificateCanBeServed() async throws {
        let certificates = try await TestCertificates()
        let files = ServerTLSFiles(try await certificates.issue())
        let loaded = try ServerCertificate(files, now: time(nil))
        #expect(abs(loaded.notAfter - time(nil) - 2 * 86_400) < 60)
        for protocols in ApplicationProtocols.allCases {
            #expect(throws: Never.self) { _ = try loaded.context(for: protocols) }
        }
    }

    @Test(arguments: [TestCertificates.Validity.ended, .begins])
    func theDatesAreChecked(_ validity: TestCertificates.Validity) async throws {
        let certificates = try await TestCertificates()
        let refusal = Self.refusal(ServerTLSFiles(try await certificates.issue("server", validity)))
        #expect(refusal?.contains("is valid from") == true, "\(refusal ?? "accepted")")
    }

    @Test func theKeyOfAnotherCertificateIsRefused() async throws {
        let certificates = try await TestCertificates()
        var files = ServerTLSFiles(try await certificates.issue())
        files.key = try await certificates.issue("other").key
        let refusal = Self.refusal(files)
        #expect(refusal?.contains("does not belong to the certificate") == true, "\(refusal ?? "accepted")")
    }

    @Test(arguments: [0o640, 0o440, 0o600, 0o400])
    func aKeyMayBeReadByItsGroup(_ mode: mode_t) async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        chmod(pair.key, mode)
        #expect(Self.refusal(ServerTLSFiles(pair)) == nil)
    }

    @Test(arguments: [0o644, 0o604, 0o660, 0o606])
    func aKeyThatOthersMayReadIsRefused(_ mode: mode_t) async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        chmod(pair.key, mode)
        let refusal = Self.refusal(ServerTLSFiles(pair))
        #expect(refusal?.contains("is accessible to other users") == true, "\(refusal ?? "accepted")")
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"])
    func aFileOfSomethingElseIsRefused(_ text: String) async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        let junk = certificates.path("junk.pem")
        try Data(text.utf8).write(to: URL(fileURLWithPath: junk))
        chmod(junk, 0o600)
        #expect(Self.refusal(ServerTLSFiles(certificate: junk, key: pair.key)) != nil)
        #expect(Self.refusal(ServerTLSFiles(certificate: pair.certificate, key: junk)) != nil)
        #expect(Self.refusal(ServerTLSFiles(certificate: certificates.path("absent"), key: pair.key)) != nil)
        #expect(Self.refusal(ServerTLSFiles(certificate: certificates.path("."), key: pair.key)) != nil)
        var files = ServerTLSFiles(pair)
        (files.clientAuthentication, files.clientAuthorities) = (.required, junk)
        #expect(Self.refusal(files) != nil)
    }
}
