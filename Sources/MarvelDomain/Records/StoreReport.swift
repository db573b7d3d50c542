/// The contents of a store, and its problems.
package struct StoreReport: Sendable, Hashable {
    package var schemaVersion = 0
    package var listCount = 0
    package var favoriteCount = 0
    /// The number of changes of all lists since the history began.
    package var changeCount: Int64 = 0
    /// The number of changes in the log.
    package var keptChangeCount = 0
    package var answerCount = 0
    /// The number of characters that were ever edited.
    package var editCount = 0
    /// The number of favorites on the longest list.
    package var longestList = 0
    /// The number of favorites that a list may hold; nil if only the server knows.
    package var capacity: Int?
    package var byteCount: Int64 = 0
    /// The bytes that the logs of whole lists have, above what the rows of these lists say.
    package var logByteSurplus: Int64 = 0
    /// The history of the store, in hexadecimal digits.
    package var history = ""
    /// The lists that a server refuses, because their rows differ from what was written.
    package var damagedLists: Set<ListName> = []
    /// Whether acknowledged changes are missing.
    package private(set) var hasLostItsEnd = false
    /// The reason that the store got a new history after the audit; nil if it did not.
    package var renewal: HistoryRenewal?

    /// What opening the store did with a file of edits of an earlier version, in words for the operator.
    package var notices: [String] = []

    /// The problems in words for the operator, only the first ones if there are many. Empty for a valid store.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0

    /// The problems that are lost acknowledged changes.
    package private(set) var losses: [String] = []
    /// Losses that were found earlier, and are forgotten from now on.
    package var acknowledgedLosses: [String] = []

    /// The maximum number of problems in the report. A damaged store may have one for each of its rows.
    private static let maximumProblems = 20

    package init() {}

    package var isWhole: Bool { problemCount == 0 }

    /// Adds a problem.
    ///
    /// - Parameters:
    ///   - problem: The problem in words for the operator.
    ///   - isLostEnd: Whether it shows that acknowledged changes are missing.
    package mutating func note(_ problem: String, isLostEnd: Bool = false) {
        problemCount += 1
        hasLostItsEnd = hasLostItsEnd || isLostEnd
        if problems.count < StoreReport.maximumProblems { problems.append(problem) }
    }

    /// Adds a loss of acknowledged changes.
    package mutating func note(loss: String) {
        note(loss, isLostEnd: true)
        losses.append(loss)
    }

    /// Adds losses that a server found when it opened the store, and that nobody has acknowledged.
    package mutating func note(earlierLosses losses: [String]) {
        for loss in losses { note("found \(loss) (reported until `marvel-server check --acknowledge`)") }
    }
}

/// The reason that a store began a new history when it was opened.
package enum HistoryRenewal: String, Sendable, Hashable {
    /// A copy that `backup` made was put in the store's place.
    case copy
    /// Acknowledged changes are missing.
    case loss
    /// Another store was put in the place of the one that was served before.
    case replacement
}
