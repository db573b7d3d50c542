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
        /// The base of the database.
        let base: Int64
        /// The lists that have changed since, with the published revision.
        var changed: [ListName: Int64] = [:]
        /// Whether the base is lower than before, so that published changes are missing.
        var isOlder = false
        /// The lists of which published changes are missing, or others are in their place, unless their rows are damaged. Of a list
        /// in `changed`, only its log shows that.
        var lost: Set<ListName> = []
        /// The published marks of the names that are not in the database.
        var missing: [ListName: Mark] = [:]

        /// The lists that may be damaged. Names whose deletion was published are rightly missing.
        var suspects: Set<ListName> { lost.union(missing.lazy.filter(\.value.exists).map(\.key)) }

        /// Removes lists, because their rows are damaged, and show nothing.
        mutating func forget(_ damaged: Set<ListName>) {
            lost.subtract(damaged)
            for list in damaged { missing[list] = nil }
        }

        /// Whether published changes are missing, or others are in their place. The base is at least the revision of each
        /// deletion whose name was dropped, which is above all other revisions of the list.
        var hasLostChanges: Bool {
            isOlder || !lost.isEmpty || missing.values.contains { $0.exists ? $0.revision >= base : $0.revision > base }
        }

        /// The names of lists that were deleted unnoticed, with a mark at or above that of the deletion.
        var deleted: [ListName: Mark] {
            missing.filter(\.value.exists).mapValues { _ in Mark(revision: base, digest: 0, exists: false) }
        }
    }

    /// Compares the marks, which were copied before the database was read, with those of the database.
    func difference(to stored: ListMarks) -> Difference {
        // In one history the base only rises.
        var difference = Difference(base: stored.base, isOlder: stored.base < base)
        for (list, mark) in stored.marks {
            guard let known = marks[list] else {
                difference.changed[list] = base
                continue
            }
            if mark.revision > known.revision { difference.changed[list] = known.revision }
            if mark.revision < known.revision || mark.revision == known.revision && mark.digest != known.digest {
                difference.lost.insert(list)
            }
        }
        difference.missing = marks.filter { stored[$0.key] == nil }
        return difference
    }

    /// Returns the same marks, but those of some lists as they are in `published`.
    func replacing(_ lists: Set<ListName>, by published: ListMarks) -> ListMarks {
        var marks = marks
        for list in lists { marks[list] = published[list] }
        return ListMarks(marks, in: history, base: base)
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
