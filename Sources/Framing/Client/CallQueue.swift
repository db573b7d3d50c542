package import NIOCore

/// Calls that wait for their turn: for a connection, or for one of the calls that the server allows at once to end.
///
/// First come, first served, and bounded: a call that would wait behind too many is better told so at once.
package struct CallQueue<Call: AnyObject> {
    private struct Entry {
        let call: Call
        let deadline: NIODeadline?
    }

    package let maximumCount: Int
    private var entries = CircularBuffer<Entry>()

    /// - Parameter maximumCount: How many calls may wait.
    package init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    package var first: Call? { entries.first?.call }

    /// - Parameters:
    ///   - call: Goes behind those that wait.
    ///   - deadline: When it no longer waits.
    /// - Returns: false if as many wait as may.
    package mutating func append(_ call: Call, deadline: NIODeadline?) -> Bool {
        guard entries.count < maximumCount else { return false }
        entries.append(Entry(call: call, deadline: deadline))
        return true
    }

    package mutating func removeFirst() -> Call? {
        entries.popFirst()?.call
    }

    /// The caller no longer waits. Does nothing if the call is not here.
    package mutating func remove(_ call: Call) {
        if let index = entries.firstIndex(where: { $0.call === call }) { entries.remove(at: index) }
    }

    package func forEach(_ body: (Call) -> Void) {
        for entry in entries { body(entry.call) }
    }

    /// Takes out the calls that are not to wait any longer. The others keep their places.
    ///
    /// - Parameter isOver: Says so of each call, in order.
    /// - Returns: They, in order.
    package mutating func remove(where isOver: (Call) -> Bool) -> [Call] {
        take { isOver($0.call) }
    }

    /// Takes out the calls whose deadline has come.
    package mutating func removeExpired(now: NIODeadline) -> [Call] {
        take { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    /// When `removeExpired` could have something to do.
    package var nextDeadline: NIODeadline? {
        entries.lazy.compactMap(\.deadline).min()
    }

    private mutating func take(_ isOver: (Entry) -> Bool) -> [Call] {
        var taken: [Call] = []
        // Ask of each once: whoever answers may count.
        entries.removeAll { entry in
            guard isOver(entry) else { return false }
            taken.append(entry.call)
            return true
        }
        return taken
    }
}
