internal import NIOCore

/// The actions that wait for their times: the earliest first, and of those with the same time the one that was added first.
struct TimerQueue {
    private struct Entry {
        let time: NIODeadline
        let number: Int
        let action: SeededScheduler.Action

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// A binary heap: each entry is before the two at twice its place.
    private var heap: [Entry] = []
    private var lastNumber = 0

    mutating func add(_ action: SeededScheduler.Action, at time: NIODeadline) {
        lastNumber += 1
        heap.append(Entry(time: time, number: lastNumber, action: action))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> (time: NIODeadline, action: SeededScheduler.Action)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.action)
    }
}
