/// The calls of one worker among the calls of all workers, so that workers need no communication.
///
/// Calls are assigned to all connections in turn, and connections to workers in turn. With 2 workers and 5 connections,
/// worker 0 has the connections 0, 2, 4, and so the calls 0, 2, 4, 5, 7, 9, 10…
package struct WorkerShare: Sendable, Hashable {
    package let worker: Int
    package let workers: Int
    package let connections: Int
    /// The number of connections of this worker.
    package let ownConnections: Int

    /// - Parameters:
    ///   - worker: The worker's number, from 0, below `workers`.
    ///   - workers: The number of workers, at most the number of connections.
    ///   - connections: The number of connections of all workers.
    package init(worker: Int, of workers: Int, connections: Int) {
        precondition((0..<workers).contains(worker) && workers <= connections, "a worker without a connection")
        self.worker = worker
        self.workers = workers
        self.connections = connections
        self.ownConnections = (connections - worker - 1) / workers + 1
    }

    /// The share of a single worker: all calls.
    package static let all = WorkerShare(worker: 0, of: 1, connections: 1)

    /// Returns the number among all calls of this worker's call number `number`; both from 0.
    package func overallNumber(_ number: Int) -> Int {
        let (round, position) = number.quotientAndRemainder(dividingBy: ownConnections)
        return round * connections + worker + position * workers
    }
}
