import ArgumentParser
import Glibc
import LongRuns
import MarvelClient
import MarvelDomain

/// A thing that goes wrong in a cluster while clients toggle.
enum ClusterFault: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// A replica ends between two instructions, and starts again.
    case killReplica = "kill-replica"
    /// A replica stops as it is asked to, and starts again.
    case drainReplica = "drain-replica"
    /// A replica is halted for a while.
    case haltReplica = "halt-replica"
    /// All connections of the replicas to the database end, whatever they are doing.
    case endConnections = "end-connections"
    /// The database is halted for a while.
    case haltDatabase = "halt-database"
    /// The database ends without a word, recovers from its log, and starts again.
    case crashDatabase = "crash-database"
    /// The primary ends without a word and does not come back: its standby is promoted, and gets a standby of its own.
    case failOver = "fail-over"

    /// Strikes, and waits for the end of the fault.
    func strike(_ cluster: Cluster, using random: inout SplitMix64) async throws {
        let replica = Int.random(in: 0..<cluster.replicaCount, using: &random)
        let pause = Duration.milliseconds(Int.random(in: 100...3_000, using: &random))
        switch self {
        case .killReplica:
            try await cluster.endReplica(replica, SIGKILL)
            try await cluster.startReplica(replica)
        case .drainReplica:
            try await cluster.endReplica(replica, SIGTERM)
            try await cluster.startReplica(replica)
        case .haltReplica:
            cluster.signalReplica(replica, SIGSTOP)
            try await Task.sleep(for: pause)
            cluster.signalReplica(replica, SIGCONT)
        case .endConnections:
            try await cluster.primary.endConnections()
        case .haltDatabase:
            try cluster.primary.signal(SIGSTOP)
            try await Task.sleep(for: pause)
            try cluster.primary.signal(SIGCONT)
        case .crashDatabase:
            try await cluster.primary.crash()
            try await cluster.primary.start()
        case .failOver:
            try await cluster.failOver()
        }
    }
}
