import ChildProcesses
import Foundation

/// The cost of TLS: a page with and without it, by the load tester of `marvel`.
///
/// The tester takes as much of its core for encryption as the server does, so a row's rate is that of the slower side; its
/// CPU is the server's alone.
struct TLSCost: Encodable {
    struct Row: Encodable {
        let isSecure: Bool
        /// Pages a second, 16 connections with 16 calls in flight each.
        let rate: Double
        /// Microseconds of the server's CPU for each page.
        let cpu: Double
    }

    /// The files that the server and the tester need.
    private struct Certificate {
        let certificate: URL
        let key: URL

        /// Makes a certificate that is its own authority.
        init(in folder: URL) throws {
            certificate = folder.appendingPathComponent("tls.pem")
            key = folder.appendingPathComponent("tls.key")
            let command = [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-days", "2", "-subj", "/CN=marvel-bench", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                key.path, "-out", certificate.path,
            ]
            _ = try PinnedProcess.output(core: nil, command)
        }
    }

    private struct Answer: Decodable {
        let callsPerSecond: Double
        let succeeded: Int
        let failed: Int
    }

    let rows: [Row]

    init(pace: Pace, in laboratory: Laboratory) throws {
        let certificate = try Certificate(in: laboratory.folder)
        Progress.show("TLS")
        // Both in turn, so that a slow period of the machine is slow for both.
        let rounds = try (0..<pace.rounds).map { _ in
            try [nil, certificate].map { try TLSCost.row($0, pace, in: laboratory) }
        }
        rows = [false, true].enumerated().map { number, isSecure in
            Row(
                isSecure: isSecure,
                rate: rounds.map { $0[number].rate }.median,
                cpu: rounds.map { $0[number].cpu }.median
            )
        }
    }

    private static func row(
        _ certificate: Certificate?,
        _ pace: Pace,
        in laboratory: Laboratory
    ) throws -> (rate: Double, cpu: Double) {
        let files = certificate.map { ["--tls-cert", $0.certificate.path, "--tls-key", $0.key.path] } ?? []
        let server = try laboratory.startMarvelServer(options: files)
        let scheme = certificate == nil ? "" : "tls://"
        let trust = certificate.map { ["--cacert", $0.certificate.path] } ?? []
        let total = Int(500_000 * pace.seconds)
        let command =
            [laboratory.programs.client, "--server", "\(scheme)127.0.0.1:\(server.port)"] + trust
            + ["load", "--json", "--connections", "16", "--concurrency", "16", "--warmup", "0s", "--total", "\(total)"]
        let usage = try ProcessUsage(pid: server.pid)
        let before = try usage.cpu()
        let output = try PinnedProcess.output(core: laboratory.loadCore, command)
        let answer = try JSONDecoder().decode(Answer.self, from: output)
        guard answer.failed == 0, answer.succeeded > 0 else { throw BenchmarkError("calls over TLS failed") }
        return (answer.callsPerSecond, (try usage.cpu() - before) / 1_000 / Double(answer.succeeded))
    }

    /// The rows for people.
    var table: String {
        var table = TextTable(["page 16x16, by marvel load", "TLS", "CPU us", "answers/s"])
        for row in rows {
            let cpu = String(format: "%.2f", row.cpu)
            table.add(["marvel-server", row.isSecure ? "1.3" : "none", cpu, String(format: "%.0f", row.rate)])
        }
        return table.description
    }
}
