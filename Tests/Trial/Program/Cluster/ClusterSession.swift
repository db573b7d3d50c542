import Foundation
import Glibc
import MarvelClient

/// A cluster for a person to try.
struct ClusterSession {
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

    /// Prints a text at once, also where standard output is no terminal.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private func follow(_ command: [String]) async throws {
        switch (command.first, command.dropFirst().first.flatMap { Int($0) }) {
        case ("promote", nil):
            try await cluster.failOver()
            show()
        case ("kill", let number?) where cluster.replicaNumbers.contains(number):
            guard cluster.replica(number) != nil else {
                return say("replica \(number) is stopped already")
            }
            try await cluster.endReplica(number, SIGKILL)
            say("replica \(number) is killed")
        case ("start", let number?) where cluster.replicaNumbers.contains(number):
            guard cluster.replica(number) == nil else { return say("replica \(number) runs already") }
            try await cluster.startReplica(number)
            show()
        case (nil, _):
            break
        default:
            say("commands: kill N, start N, promote; N is 0 to \(cluster.replicaNumbers.count - 1)")
        }
    }

    private func show() {
        say(cluster.overview)
        let servers = cluster.lastingAddresses.map(\.description).joined(separator: ",")
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
    fileprivate var overview: String {
        let databases = [("primary", primary), ("standby", standby)].map { name, database in
            "\(name): 127.0.0.1:\(database.port), \(state(database.processID))"
        }
        let lines = replicaNumbers.map { number in
            let replica = replica(number)
            let others = replica.map { ", http://127.0.0.1:\($0.httpPort ?? 0), status at \($0.statusPage)" } ?? ""
            return "replica \(number): \(lastingAddresses[number])\(others), \(state(replica?.processID))"
        }
        return (databases + lines).joined(separator: "\n")
    }

    private func state(_ processID: pid_t?) -> String { processID.map { "process \($0)" } ?? "stopped" }
}
