import Foundation
import NIOCore
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import TestCertificates
import Testing
import TransportSecurity
import WireClients

/// Certificates that are replaced while the server serves.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct ReloadTests {
    /// Puts another certificate and key into the files of the server.
    private static func install(_ pair: TestCertificates.Pair, in files: ServerTLSFiles) throws {
        for (source, target) in [(pair.certificate, files.certificate), (pair.key, files.key)] {
            let temporary = target + ".new"
            try? FileManager.default.removeItem(atPath: temporary)
            try FileManager.default.copyItem(atPath: source, toPath: temporary)
            chmod(temporary, 0o600)
            guard rename(temporary, target) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private static func files(_ certificates: TestCertificates, _ pair: TestCertificates.Pair) throws -> ServerTLSFiles
    {
        let files = ServerTLSFiles(
            certificate: certificates.path("served.pem"),
            key: certificates.path("served.key")
        )
        try install(pair, in: files)
        return files
    }

    @Test func noCallFailsWhileCertificatesAreReplaced() async throws {
        let certificates = try await TestCertificates()
        let pairs = [try await certificates.issue("one"), try await certificates.issue("two")]
        let files = try Self.files(certificates, pairs[0])
        try await SecureServer.run(files) { server in
            let tls = try ClientTLS(.init(authorities: certificates.authority()))
            var options = RPCClientOptions()
            options.retries = nil
            let endpoint = server.endpoint()
            let lasting = RPCClient(
                servers: [endpoint],
                security: tls.security,
                options: options
            )
            let end = Signal()
            let failures = await withTaskGroup { group in
                // Each of these makes connection after connection, and one more keeps its own.
                for _ in 0..<3 {
                    group.addTask {
                        var failures = 0
                        while !end.isSet {
                            if await RPCClient.echo(endpoint, tls, retries: false) != nil { failures += 1 }
                        }
                        return failures
                    }
                }
                group.addTask {
                    var failures = 0
                    while !end.isSet {
                        do throws(RPCError) {
                            _ = try await lasting.unary(SecureServer.path("Echo"), .init(string: "x"))
                        } catch { failures += 1 }
                    }
                    return failures
                }
                for number in 1...20 {
                    try? Self.install(pairs[number % 2], in: files)
                    await server.tls.checkFiles()
                }
                end.set()
                return await group.reduce(0, +)
            }
            #expect(failures == 0)
            #expect(server.tls.reloads.successes == 20)
            #expect(server.server.count(of: .handshakeFailed) == 0)
            await lasting.shutdown()
        }
    }

    @Test func aBadCertificateIsNotServedAndCountedOnce() async throws {
        let certificates = try await TestCertificates()
        let (good, better) = (try await certificates.issue("good"), try await certificates.issue("better"))
        let bad = try await certificates.issue("bad", .ended)
        let files = try Self.files(certificates, good)
        try await SecureServer.run(files) { server in
            let (tls, end) = (server.tls, server.tls.notAfter)
            await tls.checkFiles()
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (0, 0, false))
            try Self.install(bad, in: files)
            for _ in 0..<3 { await tls.checkFiles() }
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (0, 1, true))
            #expect(tls.notAfter == end)
            let client = try ClientTLS(.init(authorities: certificates.authority()))
            #expect(await RPCClient.echo(server.endpoint(), client) == nil)
            // A key alone, as between the two steps of a replacement.
            try Self.install(.init(certificate: good.certificate, key: better.key), in: files)
            await tls.checkFiles()
            try Self.install(better, in: files)
            await tls.checkFiles()
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (1, 2, false))
            #expect(await RPCClient.echo(server.endpoint(), client) == nil)
        }
    }

    /// The clocks of an authority and of this machine differ by seconds: the files do not change until then.
    @Test func aCertificateThatBeginsSoonIsServedWhenItBegins() async throws {
        let certificates = try await TestCertificates()
        let files = try Self.files(certificates, try await certificates.issue("old"))
        let clock = Mutex(time(nil))
        try await SecureServer.run(files, now: { clock.withLock(\.self) }) { server in
            let tls = server.tls
            try Self.install(try await certificates.issue("new", .begins), in: files)
            for _ in 0..<2 { await tls.checkFiles() }
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (0, 1, true))
            clock.withLock { $0 += 100_000 }
            await tls.checkFiles()
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (1, 1, false))
        }
    }

    @Test func aKeyThatOthersMayReadIsRefusedAsAtTheStart() async throws {
        let certificates = try await TestCertificates()
        let files = try Self.files(certificates, try await certificates.issue("one"))
        try await SecureServer.run(files) { server in
            let tls = server.tls
            #expect(chmod(files.key, 0o644) == 0)
            // On SIGHUP too.
            await #expect(throws: StartupError.self) { _ = try await tls.prepareChange() }
            await tls.checkFiles()
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (0, 1, true))
            #expect(chmod(files.key, 0o600) == 0)
            await tls.checkFiles()
            #expect((tls.reloads.successes, tls.reloads.failures, tls.reloads.hasFailed) == (1, 1, false))
        }
    }

    /// All that is reloaded at once is read first, and nothing is replaced if a part of it is bad.
    @Test func aPreparedChangeIsServedOnlyOnDemand() async throws {
        let certificates = try await TestCertificates()
        let (one, two) = (try await certificates.issue("one"), try await certificates.issue("two"))
        let files = try Self.files(certificates, one)
        try await SecureServer.run(files) { server in
            try Self.install(two, in: files)
            let replace = try #require(try await server.tls.prepareChange())
            let before = try await TLSPeer.connect(to: server.port(.framed), certificates)
            // The handshake is complete: it may take the certificate only when the peer speaks.
            let first = try await before.serialNumber()
            replace()
            let after = try await TLSPeer.connect(to: server.port(.framed), certificates)
            #expect(try await after.serialNumber() != first)
            for peer in [before, after] { await peer.close() }
        }
    }
}
