internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

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

    /// Of the newest change; nil if it is empty.
    var revision: Int64? { changes.last?.change.revision }

    /// A change that does not follow the newest one discards all before it. The newest change is kept, whatever its
    /// size.
    mutating func append(_ change: EncodedChange) {
        if let revision, change.change.revision != revision + 1 { (changes, byteCount) = ([], 0) }
        changes.append(change)
        byteCount += change.byteCount
        while changes.count > 1, changes.count > maximumCount || byteCount > maximumBytes {
            byteCount -= changes.removeFirst().byteCount
        }
    }

    func change(after revision: Int64) -> EncodedChange? {
        changes(after: revision)?.first
    }

    /// Nil if some of them are not here.
    func changes(after revision: Int64) -> ArraySlice<EncodedChange>? {
        guard let first = changes.first?.change.revision else { return [] }
        guard revision >= first - 1 else { return nil }
        return changes.dropFirst(Int(clamping: revision - first + 1))
    }
}
