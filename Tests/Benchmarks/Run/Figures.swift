import Dispatch
import Glibc
import Synchronization

/// The result of one measurement of a server, in the units that the table shows.
struct Figures: Codable {
    /// Microseconds for each answer; a streamed page is one.
    var cpu: Double
    var answersPerSecond: Double
    /// The median time of a whole call, in microseconds.
    var p50: Double
    var p99: Double
    var p999: Double
    /// Megabytes of 1,000,000 bytes.
    var resident: Double
    /// The share of the time that the server ran, 1 if one core did all the time. Far below 1, the load was the slower
    /// one.
    var busy: Double
    var bytesPerAnswer: Double

    init(_ report: LoadReport) {
        let answers = Double(report.messages)
        cpu = report.serverCPU / 1e3 / answers
        answersPerSecond = answers / report.seconds
        p50 = report.p50 / 1e3
        p99 = report.p99 / 1e3
        p999 = report.p999 / 1e3
        resident = Double(report.residentBytesAfter) / 1e6
        busy = report.serverCPU / 1e9 / report.seconds
        bytesPerAnswer = Double(report.bytes) / answers
    }

    /// The middle of several measurements, figure by figure.
    init(medianOf all: [Figures]) {
        cpu = all.map(\.cpu).median
        answersPerSecond = all.map(\.answersPerSecond).median
        p50 = all.map(\.p50).median
        p99 = all.map(\.p99).median
        p999 = all.map(\.p999).median
        resident = all.map(\.resident).median
        busy = all.map(\.busy).median
        bytesPerAnswer = all.map(\.bytesPerAnswer).median
    }
}

extension [Double] {
    /// The value in the middle, or between the two in the middle; of none, not a number.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

/// The time of a clock that never goes back, in nanoseconds.
func monotonicTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Waits for asynchronous work. Commands are not asynchronous themselves: programs that are started on a task's thread
/// would have all signals blocked.
func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task {
        do {
            let value = try await work()
            result.withLock { $0 = .success(value) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    guard let found = result.withLock({ $0 }) else { throw BenchmarkError("the work had no end") }
    return try found.get()
}
