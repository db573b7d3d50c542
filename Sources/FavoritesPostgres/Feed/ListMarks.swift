internal import MarvelDomain

/// A change as the database has it in its log.
struct LoggedChange: Equatable {
    var news: ListChange
    /// The text as it was read from the log.
    var text: [UInt8]

    /// Compares the change with its digest.
    ///
    /// - Parameter previous: The digest of the list's change before; 0 if there is none.
    /// - Returns: Whether it matches its checksum.
    func isWhole(after previous: Int64) -> Bool {
        news.change != nil
            && news.digest == DatabaseDigest.next(after: previous, revision: news.revision, text: text)
    }
}

/// The revisions of all lists that this replica has published to its feed.
///
/// A change arrives up to three times: by the outcome of its own group, by the poll of the feed, and when a lost connection is
/// made up for. The marks say which changes are new, and what a database that comes back has to have.
struct ListMarks: Equatable {
    struct Mark: Equatable {
        var revision: Int64
        var digest: Int64
        /// Whether the list exists; false for the name of a deleted list.
        var exists: Bool
    }

    /// The history in which the revisions count.
    let history: HistoryID
    private(set) var marks: [ListName: Mark]
    /// The revision with which lists began when the history was first seen. It may have risen since.
    let base: Int64
    /// The number of lists that exist.
    private(set) var listCount: Int
    /// The highest revision of all lists.
    private(set) var highest: Int64
    private(set) var sums = MarkSums()

    init(_ marks: [ListName: Mark] = [:], in history: HistoryID, base: Int64 = 0) {
        self.history = history
        self.marks = marks
        self.base = base
        listCount = marks.values.count(where: \.exists)
        highest = max(base, marks.values.lazy.map(\.revision).max() ?? 0)
        for mark in marks.values { sums.replace(nil, with: mark) }
    }

    subscript(_ list: ListName) -> Mark? { marks[list] }

    /// Returns the last revision of a list; the base for a list without changes.
    func revision(of list: ListName) -> Int64 { marks[list]?.revision ?? base }

    /// Notes that a change is published.
    mutating func published(_ list: ListName, revision: Int64, digest: Int64, exists: Bool) {
        let mark = Mark(revision: revision, digest: digest, exists: exists)
        let former = marks.updateValue(mark, forKey: list)
        listCount += (exists ? 1 : 0) - (former?.exists ?? false ? 1 : 0)
        highest = max(highest, revision)
        sums.replace(former, with: mark)
    }

    /// Forgets the names of deleted lists that the database has dropped, unless they were published again.
    mutating func forget(_ dropped: [ListName: Mark]) {
        for (list, mark) in dropped where marks[list] == mark {
            marks[list] = nil
            sums.replace(mark, with: nil)
        }
    }

    /// The differences between what was published and what the database has.
    struct Difference: Equatable {
        /// The lists that have changed since, with the revision that was published.
        var changed: [ListName: Int64] = [:]
        /// Whether the last changes that were published are not there, or others in their place. Where a list has changed
        /// since, only its log can tell.
        var hasLostChanges = false
        /// The names of deleted lists that the database has dropped.
        var dropped: [ListName: Mark] = [:]
    }

    /// Compares marks that were copied before the database was read with what was read.
    ///
    /// - Parameter stored: The revisions of all names in the database, with its base.
    /// - Returns: The differences.
    func difference(to stored: ListMarks) -> Difference {
        // In one history the base only rises.
        var difference = Difference(hasLostChanges: stored.base < base)
        for (list, mark) in stored.marks {
            guard let known = marks[list] else {
                difference.changed[list] = base
                continue
            }
            if mark.revision > known.revision { difference.changed[list] = known.revision }
            if mark.revision < known.revision || mark.revision == known.revision && mark.digest != known.digest {
                difference.hasLostChanges = true
            }
        }
        // The names of deleted lists are dropped at last, and the base is above their revisions then.
        for (list, known) in marks where stored[list] == nil {
            if known.revision > stored.base { difference.hasLostChanges = true }
            if !known.exists { difference.dropped[list] = known }
        }
        return difference
    }
}

/// The sums of the revisions and digests of all names. The database computes them too, so that two states are compared without
/// sending each name. Names are no part of them: two lists that have made the same changes may stand for each other. So a new
/// cluster, which may lack changes, is compared name by name.
struct MarkSums: Equatable {
    var count: Int64 = 0
    var revisions: Int128 = 0
    var digests: Int128 = 0

    /// Replaces the mark of a name; nil if it has none.
    mutating func replace(_ former: ListMarks.Mark?, with next: ListMarks.Mark?) {
        if let former { add(former, -1) }
        if let next { add(next, 1) }
    }

    private mutating func add(_ mark: ListMarks.Mark, _ sign: Int128) {
        count += Int64(sign)
        revisions += sign * Int128(mark.revision)
        digests += sign * Int128(mark.digest)
    }
}
