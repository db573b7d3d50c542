import Foundation
import Glibc

/// The resources that another process uses.
struct ProcessUsage {
    let pid: Int32
    private let clock: clockid_t

    init(pid: Int32) throws {
        self.pid = pid
        var clock = clockid_t()
        guard clock_getcpuclockid(pid, &clock) == 0 else { throw BenchmarkError("there is no process \(pid)") }
        self.clock = clock
    }

    /// The time that all its threads ran, in user code and in the system, in nanoseconds. Exact, where the ticks of
    /// `/proc` are a hundredth of a second.
    func cpu() throws -> Double {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw SystemError("clock_gettime") }
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// proc(5), statm: the second number, in pages.
    func residentBytes() throws -> Int {
        let numbers = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { throw BenchmarkError("statm is not what it was") }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// The time of a clock that never goes back, in nanoseconds.
func monotonicTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
