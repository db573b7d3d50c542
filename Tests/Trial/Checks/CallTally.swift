package import RPCCore

/// The calls of a run by kind, and the errors that they met.
package struct CallTally: Sendable {
    /// The errors that a kind of call may meet.
    package enum Tolerance: Hashable, Sendable {
        /// None but a deadline now and then: the machine may be busy.
        case reliable
        /// Those that come of a source that misbehaves.
        case upstream
    }

    package private(set) var counts: [String: Int] = [:]
    package private(set) var errors: [String: Int] = [:]
    private var lateCounts: [String: Int] = [:]

    package init() {}

    package var total: Int { counts.values.reduce(0, +) }

    package mutating func succeeded(_ kind: String) { counts[kind, default: 0] += 1 }

    /// - Returns: What is wrong with that; nil if it is tolerated.
    package mutating func failed(_ kind: String, _ error: any Error, _ tolerance: Tolerance) -> String? {
        counts[kind, default: 0] += 1
        guard let error = error as? RPCError else { return "\(kind): \(error)" }
        errors["\(kind): \(error.code.name) \(error.reason?.rawValue ?? "")", default: 0] += 1
        if error.code == .deadlineExceeded { lateCounts[kind, default: 0] += 1 }
        if CallTally.isTolerated(error, tolerance) { return nil }
        return "\(kind): \(error) (\(error.reason?.rawValue ?? "no reason"))"
    }

    /// Kinds of which more than one call in a hundred was late, and not because of a source.
    package func lateKinds(_ isReliable: (String) -> Bool) -> [String] {
        lateCounts.filter { kind, late in isReliable(kind) && late > 3 && late * 100 > counts[kind, default: 0] }
            .map { kind, late in "\(kind): \(late) of \(counts[kind, default: 0]) calls missed their deadline" }
            .sorted()
    }

    /// Whether a kind of call may meet that error.
    package static func isTolerated(_ error: RPCError, _ tolerance: Tolerance) -> Bool {
        switch tolerance {
        case .reliable: error.code == .deadlineExceeded
        case .upstream:
            [.deadlineExceeded, .unavailable, .resourceExhausted, .notFound, .aborted].contains(error.code)
        }
    }
}
