import Glibc
import MarvelDomain
import NIOCore

/// A thing that goes wrong in a cluster while clients toggle.
private struct ClusterFault: Fault {
    let cluster: Cluster
    var random: SplitMix64
    let effect: (Cluster, inout SplitMix64) async throws -> Void

    let timeout = Duration.seconds(5)

    mutating func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        try await effect(cluster, &random)
        try await Task.sleep(for: delay)
    }
}

extension FaultKind where S == Cluster {
    static var all: [FaultKind] { ofReplicas + ofDatabases + ofConnections }

    private init(
        _ name: String,
        needsRoot: Bool = false,
        effect: @escaping (Cluster, inout SplitMix64) async throws -> Void
    ) {
        self.init(name, .cluster, needsRoot: needsRoot) { cluster, settings in
            ClusterFault(cluster: cluster, random: SplitMix64(seed: settings.seed), effect: effect)
        }
    }

    private static var ofReplicas: [FaultKind] {
        [
            FaultKind("kill-replica") { cluster, random in
                try await cluster.restartReplica(cluster.randomReplica(&random), SIGKILL)
            },
            FaultKind("drain-replica") { cluster, random in
                try await cluster.restartReplica(cluster.randomReplica(&random), SIGTERM)
            },
            FaultKind("halt-replica") { cluster, random in
                let replica = cluster.randomReplica(&random)
                cluster.signalReplica(replica, SIGSTOP)
                try await Task.sleep(for: pause(&random))
                cluster.signalReplica(replica, SIGCONT)
            },
        ]
    }

    private static var ofDatabases: [FaultKind] {
        [
            // All connections of the replicas to the database end, whatever they are doing.
            FaultKind("end-connections") { cluster, _ in try await cluster.primary.endConnections() },
            FaultKind("halt-database") { cluster, random in
                try cluster.primary.signal(SIGSTOP)
                try await Task.sleep(for: pause(&random))
                try cluster.primary.signal(SIGCONT)
            },
            // The database ends without a word, recovers from its log, and starts again.
            FaultKind("crash-database") { cluster, _ in
                try await cluster.primary.crash()
                try await cluster.primary.restart()
            },
            // The primary does not come back: its standby is promoted, and gets a standby of its own.
            FaultKind("fail-over") { cluster, _ in try await cluster.failOver() },
            FaultKind("full-disk", needsRoot: true) { cluster, random in
                guard let disk = cluster.primary.disk else { throw RunError("no disk can be filled") }
                try disk.fill()
                try await Task.sleep(for: pause(&random))
                try disk.makeRoom()
                try await cluster.primary.recover()
            },
        ]
    }

    private static var ofConnections: [FaultKind] {
        [
            // Connections end after the n-th byte, in the middle of whatever that belongs to.
            FaultKind("cut-connections") { cluster, random in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    cluster.disturbance.cut(.random(using: &random))
                    try await wait(for: "a connection to be cut") { cluster.disturbance.nextCut == nil }
                }
            },
            FaultKind("drop-notifications") { cluster, random in
                try await disturb(cluster, \.droppedNotifications, &random) { disturbance, _ in disturbance.set(.drop) }
            },
            // Those of several connections come in another order.
            FaultKind("delay-notifications") { cluster, random in
                try await disturb(cluster, \.delayedNotifications, &random) { $0.set(.delay($1)) }
            },
            FaultKind("delay-feed") { cluster, random in
                try await disturb(cluster, \.delayedBytes, &random) { $0.delayFeed(by: $1) }
            },
        ]
    }

    private static func pause(_ random: inout SplitMix64) -> Duration {
        .milliseconds(Int.random(in: 100...3_000, using: &random))
    }

    /// Disturbs the feeds for a while, and verifies that something was disturbed.
    private static func disturb(
        _ cluster: Cluster,
        _ count: KeyPath<Disturbance.Counts, Int>,
        _ random: inout SplitMix64,
        begin: (Disturbance, TimeAmount) -> Void
    ) async throws {
        let disturbance = cluster.disturbance
        let before = disturbance.counts[keyPath: count]
        begin(disturbance, .milliseconds(Int64.random(in: 50...1_500, using: &random)))
        defer { disturbance.stop() }
        try await Task.sleep(for: pause(&random))
        try await wait(for: "a disturbance") { disturbance.counts[keyPath: count] > before }
    }
}

extension Cluster {
    fileprivate func randomReplica(_ random: inout SplitMix64) -> Int {
        Int.random(in: replicaNumbers, using: &random)
    }

    fileprivate func restartReplica(_ number: Int, _ signal: Int32) async throws {
        try await endReplica(number, signal)
        try await startReplica(number)
    }
}
