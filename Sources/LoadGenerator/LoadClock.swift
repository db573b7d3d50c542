internal import Glibc
internal import LoadEngine
internal import NIOCore

/// A clock in nanoseconds since a moment before the program's start, the same clock as that of the event loops' timers.
enum LoadClock {
    static var now: Nanoseconds { Nanoseconds(NIODeadline.now().uptimeNanoseconds) }

    static func deadline(_ time: Nanoseconds) -> NIODeadline {
        .uptimeNanoseconds(UInt64(max(0, time)))
    }
}

extension Nanoseconds {
    /// Returns the later time; the maximum if it is out of range.
    func adding(_ other: Nanoseconds) -> Nanoseconds {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

/// The CPU time that this process has used in all its threads.
enum ProcessTime {
    static var now: Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return .seconds(user.tv_sec + system.tv_sec) + .microseconds(Int64(user.tv_usec + system.tv_usec))
    }
}
