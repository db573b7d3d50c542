package import MarvelDomain

/// The changes of a list that are read from its log, oldest first.
///
/// A change that is missing or cannot be read is a gap: those up to it count as no longer kept.
package struct LogReading {
    private let start: Int64
    private var last: Int64
    private var gap: Int64?
    private var changes: [FavoritesChange] = []
    package private(set) var count = 0
    package var hasGap: Bool { gap != nil }

    package init(after revision: Int64) { (start, last) = (revision, revision) }

    /// Adds the next change. `isWhole` tells whether it matches its digest.
    package mutating func add(_ text: [UInt8], at revision: Int64, isWhole: Bool) {
        // A damaged revision may be any number.
        if revision != last &+ 1 { gap = revision &- 1 }
        last = revision
        count += 1
        if isWhole, let change = FavoritesChange(logged: text, revision: revision) {
            changes.append(change)
        } else {
            gap = revision
        }
    }

    /// Returns the changes of a list at the revision `current`, after `limit` of them were added, or all that
    /// the log has. More may be added behind a gap.
    package func history(at current: Int64, limit: Int) -> ChangeHistory {
        guard start <= current else { return .ahead(current: current) }
        if last < current, count < limit { return .compacted(oldest: current) }
        return gap.map { .compacted(oldest: $0) } ?? .changes(changes)
    }
}

extension FavoritesChange {
    /// Reads a change of a log. Nil if the text is not a change, or replaced saved favorites: servers of earlier versions
    /// made such changes when a character was edited.
    package init?(logged text: [UInt8], revision: Int64) {
        var hasReplaced = false
        let change = try? ChangeJSON.change(utf8: text, revision: revision) { _ in hasReplaced = true }
        guard let change, !hasReplaced else { return nil }
        self = change
    }
}
