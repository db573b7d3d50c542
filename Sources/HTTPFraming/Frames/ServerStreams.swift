internal import NIOCore
internal import NIOHPACK
public import RPCCore

/// One open stream of a server's connection (RFC 9113, section 5.1).
///
/// It is "open" while both sides may send, and "half-closed" while one may. It leaves the table when both have ended.
struct ServerStream {
    /// The end of an answer that waits behind its DATA.
    enum WaitingEnd {
        case none
        /// The last DATA frame ends the stream.
        case data
        case trailers(HPACKHeaders)
    }

    var isReceiving: Bool
    /// The bytes that the peer may still send; negative if it has sent more.
    var inboundWindow = OutboundWindows.defaultSize
    /// The DATA frames without data since the last one with data.
    var emptyDataCount = 0

    var isSending = true
    var outbound: OutboundWindows.Stream
    /// The DATA that waits for the end of the turn, or for the peer's windows.
    var waiting = ByteBuffer()
    /// Whether it waits for the peer's windows.
    var isBlocked = false
    var end = WaitingEnd.none
}

/// The streams of a server's connection: the open ones, and the necessary facts about the others.
struct ServerStreams {
    typealias Index = Int

    private(set) var open = StreamTable<ServerStream>()
    let maximumCount: Int
    /// The highest stream of the peer's HEADERS.
    private(set) var highest = StreamID.connection
    /// The highest stream that this side serves; later ones are ignored. Nil without such a limit.
    var lastServed: StreamID?
    /// The streams that both sides have ended, and that the owner has not yet taken.
    private(set) var closed: [StreamID] = []
    private var begunCount: UInt32 = 0
    /// The streams that this side has reset recently, the oldest first. Their peer may have sent more before it read
    /// that.
    private var recentlyReset: [StreamID] = []

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    subscript(index: Index) -> ServerStream {
        _read { yield open.values[index] }
        _modify { yield &open.values[index] }
    }

    func index(of id: StreamID) -> Index? { open.index(of: id) }

    var isFull: Bool { open.count >= maximumCount }

    // MARK: Changes

    mutating func began(_ id: StreamID) {
        highest = id
        begunCount += 1
    }

    mutating func insert(_ stream: ServerStream, _ id: StreamID) { open.insert(stream, id) }

    /// Removes a stream that was reset, if it is open.
    mutating func remove(_ id: StreamID) -> ServerStream? { open.remove(id) }

    mutating func close(_ id: StreamID, at index: Index) {
        open.remove(at: index)
        closed.append(id)
    }

    /// Returns each stream that both sides have ended once.
    mutating func nextClosed() -> StreamID? { closed.popLast() }

    mutating func wasReset(_ id: StreamID) {
        // Frames on older ones end the connection. They come within a round trip of the reset. In that time at most the
        // open streams are reset, and those that the client begins in their places.
        if recentlyReset.count >= 2 * maximumCount { recentlyReset.removeFirst() }
        recentlyReset.append(id)
    }

    /// Changes all open streams.
    mutating func forEach(_ change: (inout ServerStream) -> Void) {
        for index in open.values.indices { change(&open.values[index]) }
    }

    mutating func filter(_ isWanted: (inout ServerStream) -> Bool) -> [StreamID] {
        var found: [StreamID] = []
        for index in open.values.indices where isWanted(&open.values[index]) { found.append(open.id(at: index)) }
        return found
    }

    // MARK: Streams that are not open

    /// The state of a stream that is not in the table.
    enum Absent {
        case idle
        /// This side has reset it, or refused to serve it. Frames of the peer may have crossed that.
        case discarded
        case closed
    }

    func absent(_ id: StreamID) -> Absent {
        if id > highest || !id.isOfClient { return .idle }
        if let lastServed, id > lastServed { return .discarded }
        return recentlyReset.contains(id) ? .discarded : .closed
    }

    /// Whether the peer has begun each stream up to the highest, so that absent ones are closed.
    var hasBegunAll: Bool { begunCount == (highest.rawValue + 1) / 2 }
}

/// Values of the open streams of a connection, by the streams' numbers.
///
/// A connection has few streams, so searching the numbers is faster than computing a hash. Values are changed in place.
/// It is inlinable, because other targets store their own values in it.
@usableFromInline
package struct StreamTable<Value> {
    @usableFromInline
    var ids: [StreamID] = []
    @usableFromInline
    package var values: [Value] = []

    @inlinable
    package init() {}

    @inlinable
    package var count: Int { ids.count }

    @inlinable
    package var isEmpty: Bool { ids.isEmpty }

    /// The index of a stream's value, which is valid until one is removed.
    @inlinable
    package func index(of id: StreamID) -> Int? {
        // The newest are used most.
        var index = ids.count
        while index > 0 {
            index -= 1
            if ids[index].rawValue == id.rawValue { return index }
        }
        return nil
    }

    @inlinable
    package func value(of id: StreamID) -> Value? { index(of: id).map { values[$0] } }

    @inlinable
    package func id(at index: Int) -> StreamID { ids[index] }

    /// The stream must not have a value yet.
    @inlinable
    package mutating func insert(_ value: Value, _ id: StreamID) {
        ids.append(id)
        values.append(value)
    }

    /// The last value takes the place of the removed one.
    @inlinable
    @discardableResult
    package mutating func remove(at index: Int) -> Value {
        ids.swapAt(index, ids.count - 1)
        values.swapAt(index, values.count - 1)
        ids.removeLast()
        return values.removeLast()
    }

    @inlinable
    @discardableResult
    package mutating func remove(_ id: StreamID) -> Value? { index(of: id).map { remove(at: $0) } }

    /// Releases the memory too.
    @inlinable
    package mutating func removeAll() { (ids, values) = ([], []) }
}

extension StreamTable: Sendable where Value: Sendable {}
