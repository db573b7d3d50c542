/// A worker's part of the calls of all workers, so that they need not talk to each other.
///
/// Calls are numbered over all connections in turn, and connections are dealt to workers in turn: with 2 workers and 5
/// connections, worker 0 has the connections 0, 2, 4 and so the calls 0, 2, 4, 5, 7, 9, 10…
package struct Share: Sendable, Hashable {
    package let worker: Int
    package let workers: Int
    package let connections: Int
    /// How many connections this worker has.
    package let ownConnections: Int

    /// - Parameters:
    ///   - worker: From 0, below `workers`.
    ///   - workers: At most as many as there are connections.
    ///   - connections: Of all workers.
    package init(worker: Int, of workers: Int, connections: Int) {
        precondition((0..<workers).contains(worker) && workers <= connections, "a worker without a connection")
        self.worker = worker
        self.workers = workers
        self.connections = connections
        self.ownConnections = (connections - worker - 1) / workers + 1
    }

    /// All calls: one worker alone.
    package static let all = Share(worker: 0, of: 1, connections: 1)

    /// The number among all calls of this worker's call number `number`; both from 0.
    package func overallNumber(_ number: Int) -> Int {
        let (round, position) = number.quotientAndRemainder(dividingBy: ownConnections)
        return round * connections + worker + position * workers
    }
}
