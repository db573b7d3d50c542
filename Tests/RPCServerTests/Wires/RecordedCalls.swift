import RPCCore
import RPCServer
import Synchronization

/// A log that keeps its lines.
final class RecordedCalls: AccessLog {
    let rules: AccessLogRules
    private let calls = Mutex<[LoggedCall]>([])

    init(_ rules: AccessLogRules) { self.rules = rules }

    var all: [LoggedCall] { calls.withLock(\.self) }

    func log(_ calls: [LoggedCall]) { self.calls.withLock { $0 += calls } }

    /// The maximum number of lines of one error in a window: those of each loop, and one for the rest of each.
    var maximumLines: Int { rules.failuresPerWindow + 64 }

    /// The number of calls that the lines of some calls stand for.
    func callCount(where isWanted: (EndedCall) -> Bool) -> Int {
        all.reduce(0) { isWanted($1.call) ? $0 + $1.sampled : $0 }
    }

    /// The number of lines of some calls.
    func lineCount(where isWanted: (EndedCall) -> Bool) -> Int { all.count { isWanted($0.call) } }
}

extension AccessLogRules {
    /// One line a second, and a window of failures that lasts as long as a test.
    static let rare: AccessLogRules = {
        var rules = AccessLogRules()
        (rules.callsPerSecond, rules.slowCall, rules.failureWindow) = (1, .seconds(100), .seconds(600))
        return rules
    }()
}
