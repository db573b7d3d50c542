import Foundation

/// The machine and the time of the figures.
struct Machine: Encodable {
    let date: Date
    let processor: String
    let cores: Int
    let kernel: String
    /// The load average of the minute before: far above 0, something else was running.
    let loadBefore: Double

    init() throws {
        date = Date()
        cores = ProcessInfo.processInfo.processorCount
        let processors = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(separator: "\n")
        let model = processors.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        processor = model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
        kernel = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let average = try String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").first
        loadBefore = average.flatMap { Double($0) } ?? 0
    }
}
