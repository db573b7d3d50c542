/// Separate arrays for a million names need more memory than the names.
struct PackedTexts: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    var count: Int { ends.count }

    var byteCount: Int { bytes.count }

    /// All texts together must stay below 4 GiB.
    mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }

    mutating func append(contentsOf others: PackedTexts) {
        let start = UInt32(bytes.count)
        bytes += others.bytes
        ends += others.ends.map { start + $0 }
    }

    mutating func reserve(texts: Int, bytes byteCount: Int) {
        ends.reserveCapacity(texts)
        bytes.reserveCapacity(byteCount)
    }

    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    /// A text is valid only during the call.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            for end in ends {
                body(UnsafeBufferPointer(rebasing: bytes[start..<Int(end)]))
                start = Int(end)
            }
        }
    }

    func order(_ left: Int, _ right: Int) -> Int {
        let (left, right) = (range(left), range(right))
        return bytes.withUnsafeBufferPointer { bytes in
            for offset in 0..<min(left.count, right.count) {
                let difference = Int(bytes[left.lowerBound + offset]) - Int(bytes[right.lowerBound + offset])
                if difference != 0 { return difference }
            }
            return left.count - right.count
        }
    }

    /// Before (negative), inside (0) or after (positive) the range of all texts that begin with `prefix`.
    func order(_ index: Int, toPrefix prefix: UnsafeBufferPointer<UInt8>) -> Int {
        let range = range(index)
        return bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[range])
            for offset in 0..<min(text.count, prefix.count) where text[offset] != prefix[offset] {
                return Int(text[offset]) - Int(prefix[offset])
            }
            return text.count < prefix.count ? -1 : 0
        }
    }

    static let headByteCount = 8

    /// The first eight bytes as one number that sorts like them. Zeros pad a shorter text.
    static func head(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var head: UInt64 = 0
        for offset in 0..<headByteCount {
            head = head << 8 | (offset < text.count ? UInt64(text[offset]) : 0)
        }
        return head
    }

    func head(_ index: Int, from offset: Int = 0) -> UInt64 {
        let range = range(index).dropFirst(offset)
        return bytes.withUnsafeBufferPointer { PackedTexts.head(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}

/// The range's end without one. All later elements must also give true.
@inline(__always)
package func partitionPoint(_ range: Range<Int>, _ isBehind: (Int) -> Bool) -> Int {
    var (low, count) = (range.lowerBound, range.count)
    while count > 0 {
        let half = count / 2
        // Both are chosen without a branch, which would be mispredicted every other time.
        let isHigh = isBehind(low &+ half)
        low = isHigh ? low : low &+ half &+ 1
        count = isHigh ? half : count &- half &- 1
    }
    return low
}
