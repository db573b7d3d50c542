import Foundation
import Glibc

/// The resources that this process uses, according to the system.
enum ProcessFigures {
    /// In seconds since 1970. It is set at the first access, when the server starts to serve.
    static let startTime = Date().timeIntervalSince1970

    /// The processor time of all threads, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// Nil if the system does not report it, as without /proc.
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
