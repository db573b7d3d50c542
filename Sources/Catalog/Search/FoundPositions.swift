internal import Synchronization

/// Where in an index the results of a search are, in the order of the results.
enum FoundPositions: Sendable {
    /// Side by side, as those of a prefix are.
    case run(Range<Int>)
    case list(PositionList)

    /// How many results come before the one at a position; nil if it is none of them.
    func number(of position: Int) -> Int? {
        switch self {
        case .run(let run): run.contains(position) ? position - run.lowerBound : nil
        case .list(let list): list.positions.firstIndex(of: UInt32(position))
        }
    }
}

/// Positions that a search has gathered.
final class PositionList: Sendable {
    /// What the lists that wait for further pages may take in all, over all catalogs.
    static let maximumBytes = 64 * 1024 * 1024
    private static let heldBytes = Atomic<Int>(0)

    let positions: [UInt32]
    /// Whether the list may be held until the next page is asked for. When too much is held already, the search is made
    /// anew then: many clients that leave long results lying about cost time, but no more memory.
    let mayBeHeld: Bool

    private var byteCount: Int { positions.count * MemoryLayout<UInt32>.stride }

    init(_ positions: [UInt32], maximumBytes: Int = PositionList.maximumBytes) {
        self.positions = positions
        let byteCount = positions.count * MemoryLayout<UInt32>.stride
        mayBeHeld = PositionList.heldBytes.add(byteCount, ordering: .relaxed).newValue <= maximumBytes
        if !mayBeHeld { PositionList.heldBytes.subtract(byteCount, ordering: .relaxed) }
    }

    deinit {
        if mayBeHeld { PositionList.heldBytes.subtract(byteCount, ordering: .relaxed) }
    }
}
