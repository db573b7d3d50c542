internal import Synchronization

enum FoundPositions: Sendable {
    case run(Range<Int>)
    case list(PositionList)

    var count: Int {
        switch self {
        case .run(let run): run.count
        case .list(let list): list.positions.count
        }
    }

    var mayBeHeld: Bool {
        switch self {
        case .run: true
        case .list(let list): list.mayBeHeld
        }
    }

    /// Nil beyond the last.
    func position(at number: Int) -> Int? {
        guard (0..<count).contains(number) else { return nil }
        switch self {
        case .run(let run): return run.lowerBound + number
        case .list(let list): return Int(list.positions[number])
        }
    }

    /// Nil if the position is not a result.
    func number(of position: Int) -> Int? {
        switch self {
        case .run(let run): run.contains(position) ? position - run.lowerBound : nil
        case .list(let list): list.positions.firstIndex(of: UInt32(position))
        }
    }
}

final class PositionList: Sendable {
    /// The maximum for all lists that are held for further pages, over all catalogs.
    static let maximumBytes = 64 * 1024 * 1024
    private static let heldBytes = Atomic<Int>(0)

    let positions: [UInt32]
    /// Above the limit the next page repeats the search: long results cost time, but no more memory.
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
