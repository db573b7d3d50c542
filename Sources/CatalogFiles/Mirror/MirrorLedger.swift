internal import Dispatch
internal import Synchronization
package import Upstream

/// The durable record of a mirror's calls.
///
/// It is in the cache file of a server, if the mirror shares the server's budget. Otherwise it is in the mirror's own
/// unfinished file, and lost when that is finished.
package final class MirrorLedger: CallLedger {
    private static let name = "calls"

    private let calls: Mutex<MirrorCalls>
    private let cache: CacheFile?
    private let writer: CatalogFileWriter
    private let queue = DispatchQueue(label: "calls of a mirror")
    private let onProblem: @Sendable (String) -> Void

    /// - Parameters:
    ///   - file: The mirror's file.
    ///   - cache: The server's cache file; nil if there is none.
    ///   - onProblem: Called if calls cannot be recorded.
    /// - Throws: `CatalogFileError` if recorded calls cannot be read.
    package init(
        _ file: MirrorFile,
        cache: CacheFile? = nil,
        onProblem: @escaping @Sendable (String) -> Void
    ) throws {
        self.cache = cache
        self.writer = file.writer
        self.onProblem = onProblem
        let text = cache == nil ? try file.writer.writeNow { try $0.progress(MirrorLedger.name) } : nil
        self.calls = Mutex(MirrorCalls(text ?? ""))
    }

    /// Makes a call budget from the recorded calls.
    package func budget(callsPerDay: Int, at now: Moment) async -> CallBudget {
        if let cache {
            let budget = await cache.budget(callsPerDay: callsPerDay, at: now)
            calls.withLock { $0.add(budget.used, at: now.minute) }
            return budget
        }
        return calls.withLock { $0.budget(callsPerDay: callsPerDay, at: now) }
    }

    /// Returns the number of calls that may be made now.
    package func callsLeft(of callsPerDay: Int, at now: Moment) -> Int {
        calls.withLock { max(callsPerDay - $0.budget(callsPerDay: callsPerDay, at: now).used, 0) }
    }

    package func note(_ entries: [CallLedgerEntry]) {
        calls.withLock { calls in for entry in entries { calls.note(entry) } }
        if let cache { return cache.note(entries) }
        queue.async { [self] in
            do {
                let text = calls.withLock(\.text)
                try writer.writeNow { try $0.setProgress(MirrorLedger.name, text) }
            } catch {
                onProblem("the calls that were made cannot be remembered: \(error)")
            }
        }
    }

    /// Waits until all entries are written.
    func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// The calls of the last day, with an encoding as a line of text.
struct MirrorCalls: Sendable, Hashable {
    private var minutes: [Int64: Int] = [:]
    private var block: CallBudget.Block?

    /// Decodes `MINUTE=COUNT ...`, and `until=MILLISECONDS` or `probe=MILLISECONDS` for a pause of calls. Anything else
    /// is ignored.
    init(_ text: String) {
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let value = Int64(parts[1]) else { continue }
            if let minute = Int64(parts[0]) {
                guard (0...Int64(Int32.max)).contains(minute), (1...Int64(Int32.max)).contains(value) else { continue }
                minutes[minute] = Int(value)
            } else if parts[0] == "until" || parts[0] == "probe" {
                block = CallBudget.Block(until: Moment(milliseconds: value), isProbed: parts[0] == "probe")
            }
        }
    }

    var text: String {
        var words = minutes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if let block { words.append("\(block.isProbed ? "probe" : "until")=\(block.until.milliseconds)") }
        return words.joined(separator: " ")
    }

    mutating func note(_ entry: CallLedgerEntry) {
        switch entry {
        case .calls(let minute, let change): add(change, at: minute)
        case .block(let block): self.block = block
        }
    }

    mutating func add(_ count: Int, at minute: Int64) {
        minutes[minute, default: 0] += count
        minutes = minutes.filter { $0.value > 0 && $0.key > minute - 24 * 60 - 2 }
    }

    func budget(callsPerDay: Int, at now: Moment) -> CallBudget {
        let minutes = minutes.map { CallBudget.Minute($0.key, count: $0.value) }
        return CallBudget(callsPerDay: callsPerDay, minutes: minutes, block: block, at: now)
    }
}
