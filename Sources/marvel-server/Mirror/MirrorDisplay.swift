import CatalogFiles
import Foundation
import MarvelDomain
import ProgramSupport
import Synchronization
import Upstream

/// The progress display of a mirror, on standard error.
///
/// On a terminal it is a progress bar. Elsewhere it is a new line for every tenth of the work.
final class MirrorDisplay: Sendable {
    private struct State {
        var estimate = MirrorEstimate()
        /// Whether a bar is shown, which the next line replaces.
        var hasBar = false
        /// The last tenth for which a line was written.
        var tenth = -1
    }

    private let isQuiet: Bool
    private let isTerminal: Bool
    private let file: String
    private let callsPerDay: Int
    private let state = Mutex(State())

    init(_ options: MirrorOptions) {
        isQuiet = options.quiet
        isTerminal = isatty(STDERR_FILENO) == 1
        file = options.into
        callsPerDay = options.callsPerDay
    }

    func show(_ event: MirrorEvent, callsLeft: Int) {
        switch event {
        case .began(let plan, let isResumed):
            say(MirrorText.beginning(plan, isResumed: isResumed, callsLeft: callsLeft))
        case .answered(let plan, let duration):
            let timeLeft = state.withLock { state in
                state.estimate.answered(after: duration)
                return plan.answersLeft.flatMap {
                    state.estimate.timeLeft(answersLeft: $0, callsLeft: callsLeft, callsPerDay: callsPerDay)
                }
            }
            guard let total = plan.total else { return }
            progress(plan.read, of: total, MirrorText.list(plan), timeLeft)
        case .waiting(let error, let moment):
            say("\(error); waiting until \(MirrorText.time(moment))")
        case .pictures(let plan):
            progress(plan.pictures.looked, of: plan.stored, "characters looked at for pictures", nil)
        }
    }

    func finished(_ plan: MirrorPlan) {
        for line in MirrorText.end(plan, file) { say(line) }
    }

    func failed(_ error: any Error) {
        write("\(error)")
        guard let error = error as? MirrorError, error.code != .refused, error.code != .incomplete else { return }
        let time = error.retryAt.map { ", after \(MirrorText.time($0))" } ?? ""
        say("run the same command again\(time), to go on from here")
    }

    /// Writes a line that is not overwritten later.
    func say(_ line: String) {
        if !isQuiet { write(line) }
    }

    private func write(_ line: String) {
        let clearing = state.withLock { state in
            defer { state.hasBar = false }
            return state.hasBar ? MirrorText.clear : ""
        }
        StandardError.write(Array((clearing + line + "\n").utf8))
    }

    private func progress(_ count: Int, of total: Int, _ what: String, _ timeLeft: Duration?) {
        guard !isQuiet, total > 0 else { return }
        let share = min(Double(count) / Double(total), 1)
        let words = "\(count) of \(total) \(what)" + (timeLeft.map { ", \(MirrorText.duration($0)) left" } ?? "")
        if isTerminal {
            state.withLock { $0.hasBar = true }
            return StandardError.write(Array("\(MirrorText.clear)\(MirrorText.bar(share)) \(words)".utf8))
        }
        let tenth = Int(share * 10)
        let isNew = state.withLock { state in
            defer { state.tenth = tenth }
            return state.tenth != tenth
        }
        if isNew { say(words) }
    }
}
