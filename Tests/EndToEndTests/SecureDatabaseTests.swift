import ChildProcesses
import Foundation
import MarvelClient
import TestCertificates
import TestDatabases
import Testing
import WireClients

/// A server whose PostgreSQL takes only encrypted connections with a password.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.installed != nil, "PostgreSQL's server programs are not installed"),
    .enabled(if: TestCertificates.canBeMade)
)
struct SecureDatabaseTests {
    private static let password = "a password with: colons, and \\ backslashes"

    /// A cluster that is reached over TCP, with the database of a role that needs a password.
    private struct Cluster {
        let server: PostgresServer
        let certificates: TestCertificates
        let port: Int
        /// The name of the database.
        let name: String

        /// The address of the database. The first of its hosts accepts connections and says nothing.
        func address(silentHost port: Int, trusting authority: TestCertificates.Authority = .known) -> String {
            "postgresql://localhost:\(port),localhost:\(self.port)/\(name)?user=app&sslmode=verify-full"
                + "&sslrootcert=\(certificates.authority(authority))"
        }
    }

    private func withCluster(_ body: (Cluster) async throws -> Void) async throws {
        let certificates = try await TestCertificates()
        let pair = try await certificates.issue()
        try PostgresServer.give(pair.key)
        let rules = certificates.path("pg_hba.conf")
        try "local all marvel trust\nhostssl all app 127.0.0.1/32 scram-sha-256\n"
            .write(toFile: rules, atomically: true, encoding: .utf8)
        let port = try ReservedPort()
        let server = try await PostgresServer.own(
            port: port.number,
            settings: [
                "listen_addresses=127.0.0.1", "hba_file=\(rules)", "ssl=on", "ssl_cert_file=\(pair.certificate)",
                "ssl_key_file=\(pair.key)",
            ]
        )
        try await running {
            try await server.run("CREATE ROLE app LOGIN PASSWORD '\(Self.password)'", in: "postgres")
            try await server.run("CREATE DATABASE lists OWNER app", in: "postgres")
            let cluster = Cluster(server: server, certificates: certificates, port: port.number, name: "lists")
            try await body(cluster)
        } finally: {
            await server.stop()
        }
    }

    @Test(arguments: ["a file", "the environment"])
    func theServerVerifiesTheDatabaseAndSkipsASilentHost(_ source: String) async throws {
        try await withCluster { cluster in
            let folder = try TemporaryFolder()
            let silent = try ListeningSocket()
            var store = cluster.address(silentHost: silent.port)
            var environment = ["STATE_DIRECTORY": folder.path("state")]
            if source == "a file" {
                let escaped = Self.password.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                try Data("localhost:*:*:app:\(escaped)\n".utf8).write(to: folder.url.appending(path: "passwords"))
                chmod(folder.path("passwords"), 0o600)
                store += "&passfile=\(folder.path("passwords"))"
            } else {
                environment["PGPASSWORD"] = Self.password
            }
            let address = ServerAddress.unix(path: folder.path("socket"))
            let server = try RunningProgram(
                "marvel-server",
                ["--framed", "\(address)", "--store", store],
                environment: environment
            )
            _ = try await server.listeningAddress()
            let client = MarvelClient(servers: [ServerEndpoint(address)])
            #expect(try await client.toggleFavorite(1_009_610).revision == 1)
            let connections = try await cluster.server.run(
                """
                SELECT count(*) > 0, bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                WHERE usename = 'app'
                """,
                in: cluster.name
            )
            #expect(connections == "t|t")
            await client.shutdown()
            await server.stop()
        }
    }

    @Test func aDatabaseOfAnUnknownAuthorityIsNotUsed() async throws {
        try await withCluster { cluster in
            let store = cluster.address(silentHost: cluster.port, trusting: .foreign)
            let check = try await RunningProgram.run(
                "marvel-server",
                ["check", store],
                environment: ["PGPASSWORD": Self.password]
            )
            #expect(check.status != 0)
            #expect(check.errors.contains("certificate verify failed"), "\(check.errors)")
        }
    }
}
