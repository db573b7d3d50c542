package struct StoreReport: Sendable, Hashable {
    package var schemaVersion = 0
    package var listCount = 0
    package var favoriteCount = 0
    /// The changes of all lists since the history began.
    package var changeCount: Int64 = 0
    package var keptChangeCount = 0
    package var answerCount = 0
    /// The number of characters that were ever edited.
    package var editCount = 0
    package var longestList = 0
    /// The maximum number of favorites on a list; nil if only the server knows.
    package var capacity: Int?
    package var byteCount: Int64 = 0
    /// The bytes in the logs of intact lists.
    package var logBytes: Int64 = 0
    /// In hexadecimal digits.
    package var history = ""
    /// The lists that a server refuses, because of corrupt rows.
    package var damagedLists: Set<ListName> = []
    package private(set) var hasLostItsEnd = false
    /// The reason for a new history after the audit, if any.
    package var renewal: HistoryRenewal?

    /// Messages for the operator about a file of edits of an earlier version, from opening the store.
    package var notices: [String] = []

    /// Messages for the operator, only the first ones if there are many. Empty for a valid store.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0

    package private(set) var losses: [String] = []
    /// Losses that were found earlier, and are forgotten from now on.
    package var acknowledgedLosses: [String] = []

    /// A damaged store may have one problem for each row.
    private static let maximumProblems = 20

    package init() {}

    package var isWhole: Bool { problemCount == 0 }

    /// `isLostEnd` means that acknowledged changes are missing.
    package mutating func note(_ problem: String, isLostEnd: Bool = false) {
        problemCount += 1
        hasLostItsEnd = hasLostItsEnd || isLostEnd
        if problems.count < StoreReport.maximumProblems { problems.append(problem) }
    }

    package mutating func note(loss: String) {
        note(loss, isLostEnd: true)
        losses.append(loss)
    }

    /// Adds losses that a server found when it opened the store, and that are not acknowledged yet.
    package mutating func note(earlierLosses losses: [String]) {
        for loss in losses { note("found \(loss) (reported until `marvel-server check --acknowledge`)") }
    }
}

/// The reason why an opened store began a new history.
package enum HistoryRenewal: String, Sendable, Hashable {
    /// A copy made by `backup` replaced the store.
    case copy
    /// Acknowledged changes are missing.
    case loss
    /// Another store replaced the one that was served before.
    case replacement
}
