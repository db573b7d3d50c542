internal import Foundation

/// A name folded for comparison: canonical decomposition, marks (category Mn) dropped, lower case, as UTF-8.
///
/// Nothing else is ignored, so that the names which begin with a prefix are adjacent in the order of these bytes.
package struct FoldedName: Sendable, Hashable, Comparable {
    package let utf8: [UInt8]

    package init(_ name: String) {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // The fast path for nearly every name: ASCII needs no Unicode tables.
            utf8 = name.utf8.map(FoldedName.lowercased)
            return
        }
        var folded = ""
        for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            folded.unicodeScalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
        utf8 = Array(folded.utf8)
    }

    /// Calls `body` with the folded name, which is valid only during the call. For ASCII names this allocates no heap
    /// memory.
    static func with<Result>(_ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let source = name.utf8
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.count) { folded in
            var count = 0
            for byte in source {
                guard byte < 0x80 else { return FoldedName(name).utf8.withUnsafeBufferPointer(body) }
                folded[count] = lowercased(byte)
                count += 1
            }
            return body(UnsafeBufferPointer(rebasing: folded[..<count]))
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    package static func < (left: FoldedName, right: FoldedName) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    package func hasPrefix(_ prefix: FoldedName) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}

/// A folded prefix to search for, with the range of heads (`PackedTexts.head`) of the names that begin with it.
struct FoldedPrefix {
    let utf8: UnsafeBufferPointer<UInt8>
    /// The smallest head of such names: the prefix padded with zero bits.
    let firstHead: UInt64
    /// The largest head of such names: the prefix padded with one bits.
    let lastHead: UInt64

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        self.utf8 = utf8
        let head = PackedTexts.head(utf8)
        firstHead = head
        lastHead = utf8.count < PackedTexts.headByteCount ? head | UInt64.max >> UInt64(8 * utf8.count) : head
    }

    /// Whether every name with a head in the range begins with the prefix. This is so for short prefixes, as most
    /// searches have.
    var isDecidedByHead: Bool { utf8.count <= PackedTexts.headByteCount }
}
