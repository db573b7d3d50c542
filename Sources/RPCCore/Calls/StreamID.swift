/// The identifier of a call on its connection, on every wire: the number of its stream.
///
/// Its comparisons are inlinable and not derived: other targets would call those through the protocol, which is slower.
@usableFromInline
package struct StreamID: Sendable, Hashable, Comparable, RawRepresentable, ExpressibleByIntegerLiteral {
    @usableFromInline
    package let rawValue: UInt32

    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    @inlinable
    package init(integerLiteral value: UInt32) { self.init(rawValue: value) }

    @inlinable
    package static func == (left: StreamID, right: StreamID) -> Bool { left.rawValue == right.rawValue }

    @inlinable
    package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }

    @inlinable
    package static func > (left: StreamID, right: StreamID) -> Bool { left.rawValue > right.rawValue }
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
