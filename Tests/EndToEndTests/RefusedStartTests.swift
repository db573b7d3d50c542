import Foundation
import Testing

/// Starts that a server refuses: its operator learns the reason, and its service manager by the status whether another start
/// may succeed. It may with 1, and not with the others.
@Suite(.timeLimit(.minutes(2)))
struct RefusedStartTests {
    private typealias Row = (arguments: [String], environment: [String: String], status: Int32, text: String)

    private static let rows: [Row] = [
        (["chek"], [:], 64, "Did you mean 'check'?"),
        (["--capacity", "x"], [:], 64, "--capacity"),
        (["--capacity", "0"], [:], 64, "--capacity is 0; it must be 1 to 100"),
        (["--capacity", "101"], [:], 64, "--capacity is 101"),
        (["--capacity", "5", "--set", "capacity=6"], [:], 64, "remove one of them"),
        (["--framed", "x"], [:], 64, "--framed is x; it must be host:port"),
        (["--framed", "off", "--http", "off"], [:], 64, "no calls"),
        (["--catalog", "synthetic:0"], [:], 64, "N in synthetic:N must be 1 to"),
        (["--catalog", "ftp://example"], [:], 64, "ftp://example"),
        (["--set", "limits.keepalive-interval=9s"], [:], 64, "it must be 10s or more"),
        (["--set", "limits.drain-timeout=25"], [:], 64, "--set limits.drain-timeout is 25; add a unit: 25s"),
        (["--set", "image-cache-bytes=1"], [:], 64, "did you mean --set gateway.image-cache-bytes=...?"),
        (["--max-streams", "5"], [:], 64, "Did you mean --set limits.max-streams=<count>?"),
        (["config", "--no-reflection"], [:], 64, "Did you mean --set reflection=false?"),
        (["--stor", "s"], [:], 64, "--store"),
        // A setting of an earlier version.
        (["--edits", "/tmp/e.sqlite"], [:], 64, "edits are now in the store"),
        (["--set", "edits=/tmp/e.sqlite"], [:], 64, "edits are now in the store"),
        ([], ["MARVEL_EDITS": "/tmp/e.sqlite"], 78, "edits are now in the store"),
        (["--config", "/no/such/file"], [:], 78, "/no/such/file"),
        (["--catalog", "http://127.0.0.1:1"], ["MARVEL_PUBLIC_KEY": "k"], 78, "MARVEL_PRIVATE_KEY"),
        (["--catalog", "http://127.0.0.1:1", "--allow-edits"], Stand.keys, 78, "cannot be edited"),
        // What is not safe.
        (["--framed", "192.0.2.1:6160"], [:], 78, "--insecure"),
        (["--framed", "0.0.0.0:0"], [:], 78, "--insecure"),
        (["--framed", "127.0.0.1:0", "--http", "[::]:0"], [:], 78, "--insecure"),
        (
            ["--framed", "127.0.0.1:0", "--operations", "0.0.0.0:0"], [:], 78,
            "reachable from other machines without TLS"
        ),
        (["--framed", "127.0.0.1:0", "--tokens", "/dev/null"], [:], 78, "mode 0666"),
        // What may be different the next time.
        (["--framed", "192.0.2.1:6160", "--insecure"], [:], 1, "192.0.2.1:6160"),
        (["--framed", "127.0.0.1:0", "--store", "/no/such/folder/s"], [:], 1, "/no/such/folder"),
        (["--framed", "127.0.0.1:0", "--store", "/proc/favorites.sqlite"], [:], 1, "/proc/favorites.sqlite"),
        (["--framed", "127.0.0.1:0", "--store", "/dev/null/favorites.sqlite"], [:], 1, "/dev/null/favorites.sqlite"),
    ]

    @Test(arguments: rows)
    func theReasonIsNamed(
        _ arguments: [String],
        _ environment: [String: String],
        _ status: Int32,
        _ text: String
    )
        async throws
    {
        let folder = try TemporaryFolder()
        let store = arguments.contains("--store") ? [] : ["--store", folder.path("s")]
        let start = try await RunningProgram.run("marvel-server", arguments + store, environment: environment)
        #expect(start.status == status, "\(start.errors)")
        #expect(start.errors.contains(text), "\(start.errors)")
        if arguments.contains("--store") { #expect(start.errors.split(separator: "\n").count == 1, "\(start.errors)") }
        if start.errors.contains("from other machines") {
            #expect(!FileManager.default.fileExists(atPath: folder.path("s")), "nothing was opened")
        }
    }
}
