import Foundation
import Glibc
import LongRuns
import MarvelClient

/// A cluster for a person to try.
struct ClusterTrial {
    let cluster: Cluster

    /// Starts the cluster, and follows commands from standard input until the program is interrupted.
    func run() async throws {
        try await cluster.start()
        show()
        say(
            """

            Commands here: kill N and start N for a replica, promote to lose the primary and promote its standby.
            Ctrl-C stops everything and removes it.
            """
        )
        for await line in Self.inputLines {
            do {
                try await follow(line.split(separator: " ").map(String.init))
            } catch {
                say("\(error)")
            }
        }
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// Starts the cluster, loses each replica and the primary, and compares what is left with what was acknowledged.
    ///
    /// One client toggles and another one watches. Each may use two replicas, of which they share number 1. So all moves are
    /// certain once that one is lost, and the primary is lost while they use different ones.
    func runOnce() async throws {
        try await cluster.start()
        show()
        let addresses = cluster.addresses
        let toggling = MarvelClient(servers: [addresses[0], addresses[1]])
        let watching = MarvelClient(servers: [addresses[2], addresses[1]])
        let watch = Task { try await Self.watchedRevisions(of: watching) }
        let ids: [Int64] = [1_009_610, 1_009_351, 1_009_368, 1_009_664, 1_009_220]
        for (step, id) in ids.enumerated() {
            switch step {
            case 1: try await cluster.endReplica(0, SIGKILL)
            case 2:
                try await cluster.startReplica(0)
                try await cluster.endReplica(2, SIGKILL)
            case 3:
                try await cluster.startReplica(2)
                try await cluster.endReplica(1, SIGKILL)
            case 4: try await cluster.failOver()
            default: break
            }
            let result = try await toggling.toggleFavorite(id, desired: .saved, timeout: .seconds(60))
            say("saved \(id): revision \(result.revision)")
        }
        let revisions = try await watch.value
        let list = try await watching.favorites().list
        // The watch may have begun behind the first change.
        guard list.favorites.map(\.character.id) == ids, revisions == Array(1...5) || revisions == Array(2...5) else {
            throw RunError("the list is \(list.favorites.map(\.character.id)), the watch has seen \(revisions)")
        }
        await toggling.shutdown()
        await watching.shutdown()
        say(
            "All replicas and the primary were lost, no change was lost or made twice, and the watch was not interrupted."
        )
    }

    /// Watches the list until its fifth revision.
    ///
    /// - Throws: An error if the watch is interrupted, or the list is not the one that it was.
    private static func watchedRevisions(of client: MarvelClient) async throws -> [Int64] {
        var revisions: [Int64] = []
        for try await event in client.watchFavorites(from: 0) {
            switch event {
            case .changed(let change, _): revisions.append(change.revision)
            case .snapshot(_, let reset?): throw RunError("the watch began again: \(reset)")
            case .snapshot(_, nil) where !revisions.isEmpty: throw RunError("the watch began again")
            case .interrupted(let error, _): throw RunError("the watch was interrupted: \(error)")
            case .snapshot, .progress: break
            }
            if revisions.last == 5 { break }
        }
        return revisions
    }

    /// Prints a text at once, also where standard output is no terminal.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private func follow(_ command: [String]) async throws {
        switch (command.first, command.dropFirst().first.flatMap { Int($0) }) {
        case ("promote", nil):
            try await cluster.failOver()
            show()
        case ("kill", let number?) where cluster.replicaNumbers.contains(number):
            guard cluster.processID(ofReplica: number) != nil else {
                return say("replica \(number) is stopped already")
            }
            try await cluster.endReplica(number, SIGKILL)
            say("replica \(number) is killed")
        case ("start", let number?) where cluster.replicaNumbers.contains(number):
            guard cluster.processID(ofReplica: number) == nil else { return say("replica \(number) runs already") }
            try await cluster.startReplica(number)
            show()
        case (nil, _):
            break
        default:
            say("commands: kill N, start N, promote; N is 0 to \(cluster.replicaCount - 1)")
        }
    }

    private func show() {
        say(cluster.summary)
        let servers = cluster.addresses.map(\.description).joined(separator: ",")
        say(
            """

            In other terminals:
              export MARVEL_SERVER=\(servers)
              marvel watch
              marvel toggle 1009610
            """
        )
    }

    /// The lines of standard input. A thread waits for them, because tasks must not.
    private static var inputLines: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

extension Cluster {
    /// The processes and addresses of the cluster, a line each.
    var summary: String {
        let databases = [
            "primary: 127.0.0.1:\(primary.port), \(state(primary.processID))",
            "standby: 127.0.0.1:\(standby.port), \(state(standby.processID))",
        ]
        let lines = replicaNumbers.map { number in
            let endpoints = endpoints[number]
            let others = endpoints.others.map { ", grpc://\($0.http), status at http://\($0.operations)" } ?? ""
            return "replica \(number): \(endpoints.framed)\(others), \(state(processID(ofReplica: number)))"
        }
        return (databases + lines).joined(separator: "\n")
    }

    private func state(_ processID: pid_t?) -> String { processID.map { "process \($0)" } ?? "stopped" }
}
