import Catalog
import Foundation
import Glibc
import MarvelClient
import Synchronization
import TrialChecks

/// The programs of a soak: a gateway that misbehaves, a server in front of it, and a server of a catalog file whose
/// pictures come from that gateway.
struct SoakStage {
    private static let keys = ["MARVEL_PUBLIC_KEY": "soak-public", "MARVEL_PRIVATE_KEY": "soak-private"]
    /// Filled in the warm-up; more than two minutes' worth, for which a server keeps answers in any case.
    private static let keptAnswers = 10_000
    /// More than are made of a list in an epoch.
    private static let keptChanges = 500

    /// The folder of the programs.
    let programs: String
    let folder: String
    let cleaner: Cleaner

    func path(_ name: String) -> String { folder + "/" + name }

    /// Slow now and then, and one of 25 answers is wrong, cut off or an error.
    func startGateway() async throws -> ServerProcess {
        let faults = [
            "--latency", "1ms-60ms", "--error-rate", "2%", "--cut-rate", "1%", "--wrong-json-rate", "1%",
        ]
        return try await ServerProcess(
            [programs + "/marvel-gateway", "--address", "127.0.0.1:0"] + faults,
            environment: SoakStage.keys,
            listeners: 1,
            log: path("gateway.log"),
            cleaner: cleaner
        )
    }

    func startServer(
        _ name: String,
        catalog: String,
        _ further: [String]
    ) async throws -> ServerProcess {
        let limits = [
            "--set", "keep-answers=\(SoakStage.keptAnswers)", "--set", "keep-changes=\(SoakStage.keptChanges)",
            "--set", "gateway.image-cache-bytes=500000", "--set", "gateway.cache-ttl=5s", "--set",
            "gateway.calls-per-day=1000000000",
        ]
        let addresses = ["--framed", "127.0.0.1:0", "--http", "127.0.0.1:0", "--operations", "off"]
        let places = ["--store", path("\(name).sqlite"), "--catalog", catalog]
        return try await ServerProcess(
            [programs + "/marvel-server"] + addresses + places + limits + further,
            environment: SoakStage.keys,
            listeners: 2,
            log: path("\(name).log"),
            cleaner: cleaner
        )
    }

    /// Returns the files that must not grow.
    func files(of name: String) -> [WatchedFile] {
        let store = path("\(name).sqlite")
        return [
            WatchedFile(name: "store", path: store),
            WatchedFile(name: "log of the store", path: store + "-wal", isLog: true),
            WatchedFile(name: "cache", path: store + ".cache"),
        ]
    }

    /// Returns the disturbances of the servers, beside the activities of clients.
    func disturbances(
        _ servers: [ServerProcess],
        gateway: ServerProcess,
        catalog: ReplacedCatalog
    ) -> [Activity] {
        let replacementCount = Mutex(0)
        return [
            Activity("catalog replaced", rate: 0.1, maximumUnderWay: 1) {
                let number = replacementCount.withLock { count in
                    count += 1
                    return count
                }
                try catalog.replace(with: number)
            },
            Activity("SIGHUP", rate: 0.1, maximumUnderWay: 1) {
                for server in servers { server.send(SIGHUP) }
            },
            Activity("gateway halted", rate: 0.03, maximumUnderWay: 1) {
                gateway.send(SIGSTOP)
                try? await Task.sleep(for: .seconds(2))
                gateway.send(SIGCONT)
            },
        ]
    }
}
