internal import Foundation
internal import Glibc
internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

/// A host that accepts connections and serves none, as a proxy does whose server is gone.
private final class StubHost: Sendable {
    enum Behavior: Sendable, CaseIterable {
        case closes
        case saysNothing
    }

    private let descriptor: Int32

    /// Listens on the socket that libpq expects in a folder, in place of a server that was there.
    init(_ behavior: Behavior, in folder: String, port: Int = 5432) throws {
        let path = "\(folder)/.s.PGSQL.\(port)"
        unlink(path)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, listen(descriptor, 100) == 0 else {
            throw ServerFailure(description: "no socket at \(path)")
        }
        self.descriptor = descriptor
        guard behavior == .closes else { return }
        // It ends when the socket is shut down.
        Thread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                close(connection)
            }
        }.start()
    }

    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// Several hosts in the address, of which the first one is of no use.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct HostTests {
    private func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "marvel-host-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(arguments: StubHost.Behavior.allCases)
    fileprivate func aHostThatDoesNotServeIsSkipped(_ behavior: StubHost.Behavior) async throws {
        let server = try await PostgresServer.shared()
        let folder = try makeFolder()
        let host = try StubHost(behavior, in: folder)
        let database = try await server.makeDatabase().replacing(PostgresServer.patience, with: "")
        let address = database.replacing("host=\(server.folder)", with: "host=\(folder),\(server.folder)")
        let store = try await PostgresFavoritesStore.open(address)
        try await store.toggle(1)
        try await server.endConnections(to: database)
        // A toggle is refused only after it has waited for 2 s.
        #expect(try await acknowledged(2, by: store).revision == 2)
        #expect(try DatabaseCheck.check(DatabaseAddress(address)).isWhole, "an operator's command")
        await store.close()
        host.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Toggles until the database can be reached.
    private func acknowledged(_ id: Int64, by store: PostgresFavoritesStore) async throws -> ToggleResult {
        let request = "r-\(UInt64.random(in: 0 ... .max))"
        while true {
            do {
                return try await store.toggle(id, request: request)
            } catch StoreError.unavailable {
                continue
            }
        }
    }

    @Test func theErrorNamesEachUselessHost() async throws {
        let folders = [try makeFolder(), try makeFolder()]
        let hosts = try folders.map { try StubHost(.closes, in: $0) }
        let error = await #expect(throws: FavoritesDatabaseError.self) {
            try await PostgresFavoritesStore.open("postgresql:///x?host=\(folders.joined(separator: ","))")
        }
        #expect(error?.code == .unreachable)
        for folder in folders { #expect(error?.message.contains(folder) == true, "\(error?.message ?? "")") }
        for host in hosts { host.stop() }
        for folder in folders { try FileManager.default.removeItem(atPath: folder) }
    }
}
