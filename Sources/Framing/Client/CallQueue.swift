package import NIOCore

/// A queue of calls that wait for a connection, or for one of the server's limited number of open calls to end.
///
/// It is first in, first out, and bounded: a call that would wait behind too many others fails at once.
package struct CallQueue<Call: AnyObject> {
    private struct Entry {
        let call: Call
        let deadline: NIODeadline?
    }

    package let maximumCount: Int
    private var entries = CircularBuffer<Entry>()

    /// - Parameter maximumCount: The maximum number of waiting calls.
    package init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    package var first: Call? { entries.first?.call }

    /// Appends a call.
    ///
    /// - Parameters:
    ///   - call: The call to append.
    ///   - deadline: The time at which it stops waiting.
    /// - Returns: false if the queue is full.
    package mutating func append(_ call: Call, deadline: NIODeadline?) -> Bool {
        guard entries.count < maximumCount else { return false }
        entries.append(Entry(call: call, deadline: deadline))
        return true
    }

    package mutating func removeFirst() -> Call? {
        entries.popFirst()?.call
    }

    /// Removes a call whose caller no longer waits. Does nothing if the call is not in the queue.
    package mutating func remove(_ call: Call) {
        if let index = entries.firstIndex(where: { $0.call === call }) { entries.remove(at: index) }
    }

    package func forEach(_ body: (Call) -> Void) {
        for entry in entries { body(entry.call) }
    }

    /// Takes out the calls that are not to wait any longer. The others keep their positions.
    ///
    /// - Parameter isOver: Returns whether a call is to be taken out. Called for each call, in order.
    /// - Returns: The removed calls, in order.
    package mutating func remove(where isOver: (Call) -> Bool) -> [Call] {
        take { isOver($0.call) }
    }

    /// Takes out the calls whose deadline has passed.
    package mutating func removeExpired(now: NIODeadline) -> [Call] {
        take { entry in entry.deadline.map { $0 <= now } ?? false }
    }

    /// The earliest deadline of a waiting call, which is when to call `removeExpired`.
    package var nextDeadline: NIODeadline? {
        entries.lazy.compactMap(\.deadline).min()
    }

    private mutating func take(_ isOver: (Entry) -> Bool) -> [Call] {
        var taken: [Call] = []
        // Ask once for each: the closure may count its calls.
        entries.removeAll { entry in
            guard isOver(entry) else { return false }
            taken.append(entry.call)
            return true
        }
        return taken
    }
}
