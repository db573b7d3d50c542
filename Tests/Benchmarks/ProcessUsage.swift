import Foundation

/// What another process has used, read from `/proc` (proc(5)).
struct ProcessUsage {
    /// User and system time.
    var cpu: Duration
    var residentBytes: Int

    init(pid: Int32) throws {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The program's name stands in brackets and may hold anything; the numbers come after the last one.
        let numbers = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        guard numbers.count > 22, let user = Int64(numbers[12]), let system = Int64(numbers[13]),
            let pages = Int(numbers[22])
        else { throw CocoaError(.fileReadCorruptFile) }
        cpu = .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
