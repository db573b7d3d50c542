import Foundation
import Glibc

/// The cost of having a toggle on disk before it is answered: toggles with and without that, and the disk alone.
struct DurableToggles: Encodable {
    /// Toggles a second, 1,024 in flight, each on disk before its answer.
    let durable: Double
    /// The same with a store that waits for no disk.
    let undurable: Double
    /// A page written and synced, again and again, in the store's folder: times a second.
    let syncs: Double
    /// `durable` to 60 % of `undurable`, or to 100 times `syncs`, whichever is less.
    let ratio: Double

    private struct Round {
        let durable: Double
        let undurable: Double
        let syncs: Double

        var ratio: Double { durable / min(0.6 * undurable, 100 * syncs) }
    }

    init(pace: Pace, in laboratory: Laboratory) throws {
        Progress.show("toggles, with and without a disk")
        let rounds = try (0..<pace.rounds).map { _ in
            Round(
                durable: try DurableToggles.toggles(durability: "full", pace: pace, in: laboratory),
                undurable: try DurableToggles.toggles(durability: "none", pace: pace, in: laboratory),
                syncs: try DurableToggles.syncs(for: pace.seconds, in: laboratory.folder)
            )
        }
        durable = rounds.map(\.durable).median
        undurable = rounds.map(\.undurable).median
        syncs = rounds.map(\.syncs).median
        ratio = rounds.map(\.ratio).median
    }

    var bar: Bar { Bar("toggles: to 60 % of those without a disk, or 100 a sync", ratio, atLeast: 1) }

    private static func toggles(durability: String, pace: Pace, in laboratory: Laboratory) throws -> Double {
        let server = try laboratory.startMarvelServer(catalog: "synthetic:1000", options: ["--durability", durability])
        let options = ["--workload", "toggle", "--connections", "16", "--in-flight", "64"] + pace.loadOptions
        let report = try laboratory.load(server, options)
        return Double(report.calls) / report.seconds
    }

    private static func syncs(for seconds: Double, in folder: URL) throws -> Double {
        let path = folder.appendingPathComponent("sync").path
        let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw SystemError("open") }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 7, count: 4096)
        let start = monotonicTime()
        let length = UInt64(seconds * 1e9)
        var count = 0
        while monotonicTime() - start < length {
            guard pwrite(descriptor, page, page.count, off_t(count % 1024 * page.count)) == page.count else {
                throw SystemError("pwrite")
            }
            guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync") }
            count += 1
        }
        return Double(count) / (Double(monotonicTime() - start) / 1e9)
    }
}
