/// What a store holds, and what is wrong with it.
package struct StoreReport: Sendable, Hashable, Encodable {
    package var schemaVersion = 0
    package var listCount = 0
    package var favoriteCount = 0
    /// The number of changes of all lists since the history began.
    package var changeCount: Int64 = 0
    /// Those that the log still has.
    package var keptChangeCount = 0
    package var answerCount = 0
    package var pictureCount = 0
    /// On the longest list.
    package var longestList = 0
    package var byteCount: Int64 = 0
    /// The history that the store holds, in hexadecimal digits.
    package var history = ""
    /// Whether changes that were acknowledged are not there.
    package private(set) var hasLostItsEnd = false
    /// Why the store got a new history after this was found; nil if it did not.
    package var renewal: HistoryRenewal?

    /// In words for the operator, the first ones if there are many. Empty for a store that is whole.
    package private(set) var problems: [String] = []
    package private(set) var problemCount = 0

    /// Those of the problems that are changes which were acknowledged and are gone.
    package private(set) var losses: [String] = []
    /// Losses that were found earlier, and are forgotten from now on.
    package var acknowledgedLosses: [String] = []

    /// More would say no more, and a broken store may have one for each of its rows.
    private static let maximumProblems = 20

    package var isWhole: Bool { problemCount == 0 }

    /// - Parameters:
    ///   - problem: In words for the operator.
    ///   - isLostEnd: Whether it shows that acknowledged changes are not there.
    mutating func note(_ problem: String, isLostEnd: Bool = false) {
        problemCount += 1
        hasLostItsEnd = hasLostItsEnd || isLostEnd
        if problems.count < StoreReport.maximumProblems { problems.append(problem) }
    }

    /// Notes that changes which were acknowledged are gone.
    mutating func note(loss: String) {
        note(loss, isLostEnd: true)
        losses.append(loss)
    }

    /// Notes losses that a server found when it opened the store, and that nobody has acknowledged.
    mutating func note(earlierLosses losses: [String]) {
        for loss in losses { note("found \(loss) (told until `marvel-server check --acknowledge`)") }
    }
}
