/// The identity of a store's sequence of changes, within which revisions count.
///
/// A store gets a new history when it is created, restored from a backup, or has lost its newest changes. Revisions of
/// two histories cannot be compared.
package struct HistoryID: Sendable, Hashable, CustomStringConvertible {
    package let value: Int64

    package init(_ value: Int64) { self.value = value }

    /// 16 hexadecimal digits.
    package var description: String { Hexadecimal.text(UInt64(bitPattern: value)) }
}

/// A position in the changes of one list: opaque text, safe in URLs.
///
/// A watch resumes after a place. A read with a place returns a list that is at least as new. A place also names its
/// history, so it stays unambiguous after a restore of the server's store. It does not expire.
public struct FavoritesPlace: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// - Parameter text: A place as the server sent it. Only the server can validate it.
    public init(_ text: String) { self.text = text }

    public var description: String { text }
}

/// The encoding of a place, which only servers read:
///
///     u64 history | u64 revision | u64 FNV-1a of the format's number (1), the list's name, and the fields above
///     (big-endian)
///
/// The 24 bytes are exactly 32 letters of base64url, with no unused bit. The hash detects truncated or corrupted
/// places, and places of another list. It is not a signature: a forged place opens only public data.
extension FavoritesPlace {
    private static let byteCount = 24
    private static let textLength = 32
    private static let format: UInt8 = 1

    package init(list: ListName, history: HistoryID, revision: Int64) {
        let text = String(unsafeUninitializedCapacity: FavoritesPlace.textLength) { text in
            withUnsafeTemporaryAllocation(byteCount: FavoritesPlace.byteCount, alignment: 8) { bytes in
                let hash = FavoritesPlace.hash(list, history, revision)
                bytes.storeBytes(of: history.value.bigEndian, as: Int64.self)
                bytes.storeBytes(of: revision.bigEndian, toByteOffset: 8, as: Int64.self)
                bytes.storeBytes(of: hash.bigEndian, toByteOffset: 16, as: UInt64.self)
                Base64.encode(UnsafeRawBufferPointer(bytes), .url, into: UnsafeMutableRawBufferPointer(text))
            }
            return FavoritesPlace.textLength
        }
        self.init(text)
    }

    /// Nil if this is not a place of `list`.
    package func position(on list: ListName) -> (history: HistoryID, revision: Int64)? {
        guard let bytes = Base64.decodeURL(text, byteCount: FavoritesPlace.byteCount) else { return nil }
        func number(at start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let history = HistoryID(Int64(bitPattern: number(at: 0)))
        let revision = Int64(bitPattern: number(at: 8))
        guard revision >= 0, number(at: 16) == FavoritesPlace.hash(list, history, revision) else { return nil }
        return (history, revision)
    }

    private static func hash(_ list: ListName, _ history: HistoryID, _ revision: Int64) -> UInt64 {
        var hash = FNV1a()
        hash.combine(format)
        hash.combine(list.text.utf8)
        hash.combine(number: history.value)
        hash.combine(number: revision)
        return hash.value
    }
}

/// The reason for a snapshot that does not begin a new watch.
public enum SnapshotReset: Sendable, Hashable {
    /// The place belongs to another history: the server's store was restored, or has lost its newest changes. The
    /// watcher's list may contain changes that this history lacks.
    case historyChanged
    /// Changes after the place, or after the last event, are no longer kept, or the watcher fell too far behind.
    case compacted
}
