public import RPCCore

/// Values of the open streams of a connection, found by their streams' numbers.
///
/// There are at most as many as a connection may have streams, so going through the numbers takes less time than computing a
/// hash; and a value is changed where it is. Other targets have values of their own in it, so it is inlinable.
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

    /// Returns the place of a stream's value, until one is removed; nil if there is none.
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

    /// Returns the stream whose value is at a place.
    @inlinable
    package func id(at index: Int) -> StreamID { ids[index] }

    /// Adds the value of a stream that has none.
    @inlinable
    package mutating func insert(_ value: Value, _ id: StreamID) {
        ids.append(id)
        values.append(value)
    }

    /// Removes a value. The last one takes its place.
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

    /// Removes all values, and gives their memory back.
    @inlinable
    package mutating func removeAll() { (ids, values) = ([], []) }
}

extension StreamTable: Sendable where Value: Sendable {}
