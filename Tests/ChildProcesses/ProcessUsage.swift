internal import Foundation
package import Glibc

/// The resources that another process uses.
package struct ProcessUsage: Sendable {
    package let pid: pid_t
    private let clock: clockid_t

    /// - Throws: `ChildProcessError` if there is no such process.
    package init(pid: pid_t) throws(ChildProcessError) {
        self.pid = pid
        var clock = clockid_t()
        let failure = clock_getcpuclockid(pid, &clock)
        guard failure == 0 else { throw ChildProcessError(call: "clock_getcpuclockid", number: failure) }
        self.clock = clock
    }

    /// The processor time of all its threads, in user code and in the system, in nanoseconds. Exact, where the ticks of
    /// `/proc` are a hundredth of a second.
    package func cpu() throws(ChildProcessError) -> Double {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw ChildProcessError(call: "clock_gettime", number: errno) }
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Its resident memory: proc(5), statm, the second number, in pages.
    package func residentBytes() throws -> Int {
        let numbers = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { throw ChildProcessError(call: "statm", number: 0) }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
