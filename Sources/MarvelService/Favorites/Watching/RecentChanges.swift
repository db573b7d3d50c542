internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// A change, encoded once for all watchers of its list.
final class EncodedChange: OutgoingMessage {
    let change: FavoritesChange
    private let bytes: ByteBuffer

    init(_ change: FavoritesChange, attribution: String, place: FavoritesPlace) {
        self.change = change
        bytes = WatchFavoritesResponse(.changed(change), attribution: attribution, place: place.text).encoded()
    }

    var byteCount: Int { bytes.readableBytes }

    func write(to writer: inout MessageWriter) { writer.write(bytes) }
}

/// The last changes of a list, without gaps. Their number is limited, so a watcher that is further behind gets a
/// snapshot.
struct RecentChanges {
    private let maximumCount: Int
    private let maximumBytes: Int
    private var changes: [EncodedChange] = []
    private var byteCount = 0

    init(maximumCount: Int = 256, maximumBytes: Int = 64 * 1024) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// The revision of the newest change; nil if there is none.
    var revision: Int64? { changes.last?.change.revision }

    /// Appends a change. A change that does not follow the newest one discards all before it. The newest is kept,
    /// whatever its size.
    mutating func append(_ change: EncodedChange) {
        if let revision, change.change.revision != revision + 1 { (changes, byteCount) = ([], 0) }
        changes.append(change)
        byteCount += change.byteCount
        while changes.count > 1, changes.count > maximumCount || byteCount > maximumBytes {
            byteCount -= changes.removeFirst().byteCount
        }
    }

    /// Returns the change that follows `revision`, if it is here.
    func change(after revision: Int64) -> EncodedChange? {
        changes(after: revision)?.first
    }

    /// Returns all changes that follow `revision`, or nil if some of them are not here.
    func changes(after revision: Int64) -> ArraySlice<EncodedChange>? {
        guard let first = changes.first?.change.revision else { return [] }
        guard revision >= first - 1 else { return nil }
        return changes.dropFirst(Int(clamping: revision - first + 1))
    }
}
