import ChildProcesses
import Foundation
import Testing

/// Starts that a server refuses: its operator learns the reason, and its service manager by the status whether another start
/// may succeed. It may with 1, and not with the others.
@Suite(.timeLimit(.minutes(10)))
struct RefusedStartTests {
    private typealias Row = (
        arguments: [String], environment: [String: String], status: Int32, opensStore: Bool, text: String
    )

    private static let rows: [Row] = [
        (["chek"], [:], 64, false, "chek"),
        (["--capacity", "0"], [:], 64, false, "--capacity is 0; it must be 1 to 100"),
        (["--capacity", "5", "--set", "capacity=6"], [:], 64, false, "remove one of them"),
        (["--framed", "x"], [:], 64, false, "--framed is x; it must be host:port"),
        (["--catalog", "synthetic:0"], [:], 64, false, "N in synthetic:N must be 1 to"),
        (["--catalog", "ftp://example"], [:], 64, false, "ftp://example"),
        (["--set", "image-cache-bytes=1"], [:], 64, false, "did you mean --set gateway.image-cache-bytes=...?"),
        (["--max-streams", "5"], [:], 64, false, "--max-streams"),
        (["--config", "/no/such/file"], [:], 78, false, "/no/such/file"),
        (["--catalog", "http://127.0.0.1:1"], ["MARVEL_PUBLIC_KEY": "k"], 78, false, "MARVEL_PRIVATE_KEY"),
        // Unsafe settings.
        (["--framed", "192.0.2.1:6160"], [:], 78, false, "--insecure"),
        (["--framed", "0.0.0.0:0"], [:], 78, false, "--insecure"),
        (["--framed", "127.0.0.1:0", "--http", "[::]:0"], [:], 78, false, "--insecure"),
        (
            ["--framed", "127.0.0.1:0", "--operations", "0.0.0.0:0"], [:], 78, false,
            "reachable from other machines without TLS"
        ),
        (["--framed", "127.0.0.1:0", "--tokens", "/dev/null"], [:], 78, false, "mode 0666"),
        (["--framed", "127.0.0.1:0", "--tls-cert", "/dev/null"], [:], 64, false, "Set both tls.cert and tls.key"),
        (
            ["--framed", "127.0.0.1:0", "--tls-cert", "/dev/null", "--tls-key", "/dev/null"], [:], 78, false,
            "/dev/null"
        ),
        // Failures that may be temporary.
        (["--framed", "192.0.2.1:6160", "--insecure"], [:], 1, true, "192.0.2.1:6160"),
        (
            ["--framed", "127.0.0.1:0", "--http", "off", "--operations", "192.0.2.1:6162", "--insecure"], [:], 1, true,
            "192.0.2.1:6162"
        ),
        (["--framed", "127.0.0.1:0", "--store", "/no/such/folder/s"], [:], 1, false, "/no/such/folder"),
        (["--framed", "127.0.0.1:0", "--store", "/proc/favorites.sqlite"], [:], 1, false, "/proc/favorites.sqlite"),
        (
            ["--framed", "127.0.0.1:0", "--store", "/dev/null/favorites.sqlite"], [:], 1, false,
            "/dev/null/favorites.sqlite"
        ),
    ]

    @Test(arguments: rows)
    func theReasonIsNamed(
        _ arguments: [String],
        _ environment: [String: String],
        _ status: Int32,
        _ opensStore: Bool,
        _ text: String
    )
        async throws
    {
        let folder = try TemporaryFolder()
        let store = arguments.contains("--store") ? [] : ["--store", folder.path("s")]
        let start = try await RunningProgram.run("marvel-server", arguments + store, environment: environment)
        #expect(start.status == status, "\(start.errors)")
        #expect(start.errors.contains(text), "\(start.errors)")
        #expect(!start.errors.contains("\"serving\""), "it was never ready")
        if arguments.contains("--store") { #expect(start.errors.split(separator: "\n").count == 1, "\(start.errors)") }
        #expect(FileManager.default.fileExists(atPath: folder.path("s")) == opensStore)
    }
}
