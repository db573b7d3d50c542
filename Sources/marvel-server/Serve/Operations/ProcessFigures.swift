import Foundation
import Glibc

/// The resources that this process uses, as the system tells them.
enum ProcessFigures {
    /// The time at which the process was asked for the first time, in seconds since 1970: when it starts to serve.
    static let startTime = Date().timeIntervalSince1970

    /// The processor time of all threads, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// The memory in use; nil if the system does not tell it, as without /proc.
    static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(getpagesize())
    }

    static var openDescriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }
}
