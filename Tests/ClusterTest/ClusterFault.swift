import ArgumentParser
import Glibc
import LongRuns
import MarvelClient
import MarvelDomain
import NIOCore

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

    /// Some connections to the database end after the n-th byte, in the middle of whatever that belongs to.
    case cutConnections = "cut-connections"
    /// Notifications of the database are lost.
    case dropNotifications = "drop-notifications"
    /// Notifications of the database come late, and those of several connections in another order.
    case delayNotifications = "delay-notifications"
    /// All that the database sends to the replicas' feeds comes late.
    case delayFeed = "delay-feed"
    /// The disk of the primary is full for a while.
    case fullDisk = "full-disk"

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
        case .cutConnections:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                cluster.disturbance.cut(.random(using: &random))
                try await wait(for: "a connection to be cut") { cluster.disturbance.nextCut == nil }
            }
        case .dropNotifications, .delayNotifications, .delayFeed:
            try await disturb(cluster, for: pause, using: &random)
        case .fullDisk:
            guard let disk = cluster.primary.disk else { throw RunError("there is no disk that can be filled") }
            try disk.fill()
            try await Task.sleep(for: pause)
            try disk.makeRoom()
            try await cluster.primary.recover()
        }
    }

    /// Disturbs the feeds for a while, and verifies that something was disturbed.
    private func disturb(_ cluster: Cluster, for pause: Duration, using random: inout SplitMix64) async throws {
        let disturbance = cluster.disturbance
        let delay = TimeAmount.milliseconds(Int64.random(in: 50...1_500, using: &random))
        let count: (Disturbance.Counts) -> Int
        switch self {
        case .dropNotifications:
            disturbance.set(.drop)
            count = \.droppedNotifications
        case .delayNotifications:
            disturbance.set(.delay(delay))
            count = \.delayedNotifications
        default:
            disturbance.delayFeed(by: delay)
            count = \.delayedBytes
        }
        defer { disturbance.stop() }
        let before = count(disturbance.counts)
        try await Task.sleep(for: pause)
        try await wait(for: "\(rawValue) to have an effect") { count(disturbance.counts) > before }
    }
}
