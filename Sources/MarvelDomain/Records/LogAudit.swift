/// A check of one list's log, from its oldest change to its newest. It finds missing and corrupt changes.
package struct LogAudit {
    /// The digest of a change, from the previous digest (0 at first), the revision and the text.
    package typealias Digest = (_ previous: Int64, _ revision: Int64, _ text: [UInt8]) -> Int64

    private let list: ListName
    private let nextDigest: Digest
    private var last: (revision: Int64, digest: Int64)?
    package private(set) var changeCount = 0
    package private(set) var byteCount: Int64 = 0
    package private(set) var problems: [String] = []
    /// Whether the log has changes that are newer than its list.
    package private(set) var isAhead = false

    package init(list: ListName, digest nextDigest: @escaping Digest) {
        self.list = list
        self.nextDigest = nextDigest
    }

    package mutating func read(_ change: StoreRecord.Change) {
        defer { last = (change.revision, change.digest) }
        changeCount += 1
        byteCount += Int64(change.text.count)
        let previous: Int64
        if let last {
            // The log is sorted, unless its index is damaged: then any revisions may follow each other.
            let (next, overflow) = last.revision.addingReportingOverflow(1)
            guard !overflow, change.revision == next else { return missing(last.revision &+ 1, change.revision &- 1) }
            previous = last.digest
        } else {
            // The change before the oldest kept one is deleted, unless the oldest is the first of its history. All
            // histories begin with a multiple of 2^32.
            guard change.revision & 0xFFFF_FFFF == 1 else { return }
            previous = 0
        }
        if nextDigest(previous, change.revision, change.text) != change.digest {
            problems.append("list \(list): change \(change.revision) does not match its checksum")
        }
    }

    /// Compares the end of the log with the list's row. A digest of 0 means an empty log. The log is empty in a file of
    /// schema version 1, after a new history began, or after truncating it.
    package mutating func finish(revision: Int64, digest: Int64) {
        guard let last else {
            if digest != 0 { problems.append("list \(list): its log is missing up to change \(revision)") }
            return
        }
        if last.revision < revision {
            missing(last.revision &+ 1, revision)
        } else if last.revision > revision {
            isAhead = true
            problems.append("list \(list) is at revision \(revision), but its log is at \(last.revision)")
        } else if last.digest != digest {
            problems.append("list \(list): change \(revision) does not match the digest in its list")
        }
    }

    private mutating func missing(_ first: Int64, _ last: Int64) {
        let which = first == last ? "change \(first) is" : "changes \(first) to \(last) are"
        problems.append("list \(list): \(which) missing")
    }
}
