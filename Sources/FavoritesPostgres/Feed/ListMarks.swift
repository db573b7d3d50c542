internal import MarvelDomain

/// The revisions of all lists that this replica has published to its feed. They decide which changes are new, and which ones a
/// database has lost.
struct ListMarks: Equatable {
    struct Mark: Equatable {
        var revision: Int64
        var digest: Int64
        var exists: Bool
    }

    let history: HistoryID
    private(set) var marks: [ListName: Mark]
    /// The revision with which lists began when the history was first seen. It may have risen since.
    let base: Int64
    private(set) var listCount: Int
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

    func revision(of list: ListName) -> Int64 { marks[list]?.revision ?? base }

    /// Notes that a list has a mark.
    ///
    /// - Returns: Whether it is above the former one.
    mutating func publish(_ mark: Mark, of list: ListName) -> Bool {
        let place = marks.index(forKey: list)
        let former = place.map { marks.values[$0] }
        guard mark.revision > former?.revision ?? base else { return false }
        if let place { marks.values[place] = mark } else { marks[list] = mark }
        listCount += (mark.exists ? 1 : 0) - (former?.exists ?? false ? 1 : 0)
        highest = max(highest, mark.revision)
        sums.replace(former, with: mark)
        return true
    }

    /// Forgets the names of deleted lists that the database has dropped, unless they were published again.
    mutating func forget(_ dropped: [ListName: Mark]) {
        for (list, mark) in dropped where marks[list] == mark {
            marks[list] = nil
            sums.replace(mark, with: nil)
        }
    }

    struct Difference: Equatable {
        /// The lists that have changed since, with the published revision.
        var changed: [ListName: Int64] = [:]
        /// Whether published changes are missing, or others in their place. Of a list in `changed`, only its log shows that.
        var hasLostChanges = false
        /// The names of deleted lists that are not in the database.
        var dropped: [ListName: Mark] = [:]
    }

    /// Compares the marks, which were copied before the database was read, with those of the database.
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
        // The base is above the revisions of dropped names.
        for (list, known) in marks where stored[list] == nil {
            if known.revision > stored.base { difference.hasLostChanges = true }
            if !known.exists { difference.dropped[list] = known }
        }
        return difference
    }
}

/// The sums of the revisions and digests of all names, which the database computes too. They do not show whether two lists were
/// swapped, so a new cluster, which may lack changes, is compared name by name.
struct MarkSums: Equatable {
    var count: Int64 = 0
    var revisions: Int128 = 0
    var digests: Int128 = 0

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
