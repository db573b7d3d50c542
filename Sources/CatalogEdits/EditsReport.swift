/// News about edits for the operator's log.
package enum EditsReport: Sendable, Hashable {
    /// Something fails.
    case problem(String)
    /// Something that failed works again.
    case recovered(String)
}

/// The outcome of something that is tried again and again. Only its changes are reported: a check every second would fill
/// a log.
package struct RepeatedOutcome: Sendable {
    package enum Change: Sendable, Hashable {
        /// It fails, or fails for another reason than before.
        case failed(reason: String)
        /// It succeeds again.
        case recovered
    }

    private var failure: String?

    package init() {}

    /// Notes the outcome of one try.
    ///
    /// - Parameter failure: The reason of the failure; nil if the try succeeded.
    /// - Returns: The change since the last try; nil if there is none.
    package mutating func tried(failure: String?) -> Change? {
        guard failure != self.failure else { return nil }
        self.failure = failure
        return failure.map(Change.failed) ?? .recovered
    }
}
