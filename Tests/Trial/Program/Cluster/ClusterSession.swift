import Foundation
import Glibc

/// A cluster for a person to try, who ends its processes. They are replaced after a while.
struct ClusterSession {
    let cluster: Cluster

    /// Starts the cluster, and keeps it up until the program is interrupted.
    func run() async throws {
        try await cluster.start()
        show()
        while true {
            try await Task.sleep(for: .seconds(1))
            if cluster.primary.processID == nil {
                say("The primary is lost: its standby is promoted, and gets a new standby.")
                try await cluster.failOver()
            } else if let number = cluster.replicaNumbers.first(where: { cluster.replica($0) == nil }) {
                say("Replica \(number) is lost, and starts again in ten seconds.")
                try await Task.sleep(for: .seconds(10))
                try await cluster.startReplica(number)
            } else {
                continue
            }
            show()
        }
    }

    /// Prints a text at once, also where standard output is no terminal.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private func show() {
        let databases = [("primary", cluster.primary), ("standby", cluster.standby)].map { name, database in
            "\(name): 127.0.0.1:\(database.port), process \(database.processID ?? 0)"
        }
        let replicas = cluster.replicaNumbers.compactMap { number in
            cluster.replica(number).map { replica in
                """
                replica \(number): \(cluster.lastingAddresses[number]), HTTP 127.0.0.1:\(replica.httpPort ?? 0), \
                status \(replica.statusPage), process \(replica.processID)
                """
            }
        }
        say(
            """
            \((databases + replicas).joined(separator: "\n"))

            In other terminals:
              export MARVEL_SERVER=\(cluster.lastingAddresses.map { "\($0)" }.joined(separator: ","))
              marvel watch
              marvel toggle 1009610
              kill -KILL PID     for a replica, kill -QUIT PID for the primary: Ctrl-C here stops everything
            """
        )
    }
}
