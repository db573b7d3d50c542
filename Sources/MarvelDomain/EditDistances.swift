/// The edit distances between the beginnings of a typed text and the beginnings of another text.
///
/// A distance is the smallest number of mistakes: an extra letter, a missing letter, another letter, or two swapped
/// neighbors. No letter is part of two mistakes (optimal string alignment).
package struct EditDistances: Sendable {
    private let typed: [UInt32]
    /// A row for each number of typed letters, from 0 on.
    private var cells: [Int32] = []
    private var width = 1

    package init(of typed: [UInt32]) { self.typed = typed }

    /// Computes the distances to a text, in the memory of an earlier text.
    ///
    /// - Returns: Whether the typed text may be at most `maximum` mistakes away from a beginning. If not, the distances are
    ///   incomplete. If it may, those are known where the numbers of letters differ by at most `maximum`, and a distance
    ///   above `maximum` is only known to be above it.
    @discardableResult
    package mutating func compare(to text: [UInt32], atMost maximum: Int = .max) -> Bool {
        let width = text.count + 1
        self.width = width
        let count = width * (typed.count + 1)
        if cells.count < count { cells = Array(repeating: 0, count: count) }
        let typed = typed
        // Each letter more or less is a mistake.
        let reach = min(maximum, width + typed.count)
        let tooFar = Int32(truncatingIfNeeded: width + typed.count)
        return cells.withUnsafeMutableBufferPointer { cells in
            for column in 0..<width { cells[column] = Int32(truncatingIfNeeded: column) }
            for row in 1..<typed.count + 1 {
                let start = row * width
                let (first, end) = (max(1, row - reach), min(width, row + reach + 1))
                guard first <= end else { return false }
                var least = first == 1 ? Int32(truncatingIfNeeded: row) : tooFar
                cells[start + first - 1] = least
                if end < width { cells[start + end] = tooFar }
                for column in first..<end {
                    let place = start + column
                    let isEqual = typed[row - 1] == text[column - 1]
                    var best = min(cells[place - width], cells[place - 1]) + 1
                    best = min(best, cells[place - width - 1] + (isEqual ? 0 : 1))
                    if row > 1, column > 1, EditDistances.isSwap(typed, text, row, column) {
                        best = min(best, cells[place - 2 * width - 2] + 1)
                    }
                    cells[place] = best
                    least = min(least, best)
                }
                guard Int(least) <= maximum else { return false }
            }
            return true
        }
    }

    package subscript(typedCount: Int, textCount: Int) -> Int { Int(cells[typedCount * width + textCount]) }

    /// Whether the two letters before both places are swapped. Both numbers are above 1.
    @inline(__always)
    private static func isSwap(_ typed: [UInt32], _ text: [UInt32], _ typedCount: Int, _ textCount: Int) -> Bool {
        typed[typedCount - 1] == text[textCount - 2] && typed[typedCount - 2] == text[textCount - 1]
    }
}
