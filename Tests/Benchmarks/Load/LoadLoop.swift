import Glibc

/// Drives connections from one thread, with poll and nothing else.
///
/// A loop closed on purpose: the figure wanted is what a call costs the server, not how long a queue gets.
struct LoadLoop {
    /// The end of a run.
    enum Length {
        case time(Duration)
        case calls(Int)
    }

    /// A server that is silent for so long has failed.
    private static let silenceInMilliseconds: Int32 = 10_000

    private let connections: [LoadConnection]
    private var polled: [pollfd]
    private(set) var tally = LoadTally()

    init(_ connections: [LoadConnection]) {
        self.connections = connections
        polled = connections.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    /// Forgets what was counted, and carries on for that long.
    ///
    /// - Returns: How long it really was, in nanoseconds.
    mutating func run(for length: Length) throws -> UInt64 {
        tally = LoadTally()
        let start = Self.now()
        while !hasReached(length, since: start) {
            let count = poll(&polled, nfds_t(polled.count), Self.silenceInMilliseconds)
            guard count != 0 else { throw BenchmarkError("the server is silent") }
            guard count > 0 else { throw SystemError("poll") }
            for index in connections.indices where polled[index].revents != 0 {
                try connections[index].readable(tally: &tally)
            }
        }
        return Self.now() - start
    }

    private func hasReached(_ length: Length, since start: UInt64) -> Bool {
        switch length {
        case .time(let duration): Self.now() - start >= UInt64(duration / .nanoseconds(1))
        case .calls(let count): tally.calls + tally.failures >= count
        }
    }

    /// Monotonic, in nanoseconds.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
