internal import MarvelDomain

/// A check of the log of one list, from its oldest change to its newest. It finds changes that are missing or differ
/// from what was written.
struct LogAudit {
    struct Entry: Hashable {
        var revision: Int64
        var text: String
        var digest: Int64
    }

    private let list: ListName
    private var last: Entry?
    private var byteCount: Int64 = 0
    private(set) var problems: [String] = []
    /// Whether the log has changes that are newer than its list.
    private(set) var isAhead = false

    init(list: ListName) { self.list = list }

    mutating func read(_ entry: Entry) {
        defer { last = entry }
        byteCount += Int64(entry.text.utf8.count)
        let previous: Int64
        if let last {
            // The log is sorted, unless its index is damaged: then any revisions may follow each other.
            let next = last.revision.addingSaturated(1)
            guard entry.revision == next else { return missing(next, entry.revision.subtractingSaturated(1)) }
            previous = last.digest
        } else {
            // The change before the oldest kept one is deleted, unless the oldest is the first of its history. All
            // histories begin with a multiple of 2^32.
            guard entry.revision & 0xFFFF_FFFF == 1 else { return }
            previous = 0
        }
        let digest = ChangeDigest.next(after: previous, revision: entry.revision, text: Array(entry.text.utf8))
        if digest != entry.digest { problems.append("list \(list): change \(entry.revision) is not as it was written") }
    }

    /// Compares the end of the log with the list's own row.
    mutating func finish(_ state: ListState) {
        finish(revision: state.revision, digest: state.digest)
        if problems.isEmpty, byteCount != state.logBytes {
            problems.append("list \(list): its log has \(byteCount) bytes, and its list says \(state.logBytes)")
        }
    }

    /// - Parameters:
    ///   - revision: The revision of the list.
    ///   - digest: The digest in the list's own row; 0 if nothing is logged: in a store of schema version 1, or when
    ///     all changes were cut from the log of a deleted list.
    private mutating func finish(revision: Int64, digest: Int64) {
        guard let last else {
            if digest != 0 { problems.append("list \(list): its log is missing up to change \(revision)") }
            return
        }
        if last.revision < revision {
            missing(last.revision &+ 1, revision)
        } else if last.revision > revision {
            isAhead = true
            problems.append("list \(list) is at revision \(revision), and its log at \(last.revision)")
        } else if last.digest != digest {
            problems.append("list \(list): change \(revision) is not the one that its list names")
        }
    }

    private mutating func missing(_ first: Int64, _ last: Int64) {
        let which = first == last ? "change \(first) is" : "changes \(first) to \(last) are"
        problems.append("list \(list): \(which) missing")
    }
}
