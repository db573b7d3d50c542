import ChildProcesses
import Foundation
import NIOCore
import RPCCore
import RPCServer
import TestCertificates
import Testing
import TransportSecurity
import WireClients

/// Peers that read slowly or not at all. The kernel counts encrypted bytes, which are more than those that were made.
@Suite(.enabled(if: TestCertificates.canBeMade), .timeLimit(.minutes(10)))
struct SlowReaderTests {
    /// It reads some 3 MB a second, for twice the time in which one that reads nothing is closed, and then stops.
    @Test func aSlowReaderOfFramesIsLeftAloneUntilItStops() async throws {
        try await SecureServer.run({ $0.writeTimeout = .seconds(2) }) { server, certificates in
            let peer = try await TLSPeer.connect(to: server.port(.framed), certificates, reads: false)
            try await peer.call("Blocks", 10_000, isStream: true)
            let begin = NIODeadline.now()
            while NIODeadline.now() - begin < .seconds(4) {
                peer.read()
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(server.server.count(of: .writeTimeout) == 0)
            #expect(peer.receivedByteCount > 100_000)
            #expect(server.server.unsentByteCount < 10_000_000, "most of the stream is not made")
            try await eventually { server.server.count(of: .writeTimeout) == 1 }
            try await eventually { server.server.connectionCount == 0 }
            #expect(server.server.unsentByteCount == 0)
            await peer.close()
        }
    }

    // MARK: curl

    private static let curlPath = "/usr/bin/curl"

    private static func curl(_ server: SecureServer, _ certificates: TestCertificates, _ version: String) -> [String] {
        let body = certificates.path("body")
        try? Data([0, 0x3B, 0x82, 0x60]).write(to: URL(fileURLWithPath: body))
        return [
            "-sS", version, "--cacert", certificates.authority(), "-H", "content-type: application/proto",
            "--data-binary", "@\(body)", "https://localhost:\(server.port(.http))/test.v1.Test/Sized",
        ]
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: Self.curlPath)),
        arguments: ["--http2", "--http1.1"]
    )
    func curlReadsSlowly(_ version: String) async throws {
        // curl reads in bursts, with pauses of up to a second between them.
        try await SecureServer.run({ $0.writeTimeout = .milliseconds(1_800) }) { server, certificates in
            let run = try await ChildProcess.run(
                Self.curlPath,
                Self.curl(server, certificates, version)
                    + ["--limit-rate", "900K", "-o", "/dev/null", "-w", "%{http_version} %{size_download}"]
            )
            let expected = version == "--http2" ? "2 3900000" : "1.1 3900000"
            #expect(run.output == expected, "\(run)")
            #expect(server.server.count(of: .writeTimeout) == 0)
        }
    }
}
