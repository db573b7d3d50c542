internal import Foundation

/// Canonical decomposition, marks (category Mn) dropped, lower case, as UTF-8. Names with one prefix are adjacent in
/// byte order.
package struct FoldedName: Sendable, Hashable, Comparable {
    package let utf8: [UInt8]

    package init(_ name: String) {
        utf8 = FoldedName.foldedLatin(name) ?? FoldedName.foldedByProperties(name)
    }

    private static func foldedByProperties(_ name: String) -> [UInt8] {
        var folded = ""
        for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            folded.unicodeScalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
        return Array(folded.utf8)
    }

    /// Several times faster; nil for names that are not Latin.
    private static func foldedLatin(_ name: String) -> [UInt8]? {
        var folded: [UInt8] = []
        folded.reserveCapacity(name.utf8.count)
        var lead: UInt8 = 0
        for byte in name.utf8 {
            switch byte {
            case ..<0x80:
                folded.append(lowercased(byte))
            case ..<0xC0:
                let letter = latin[Int(lead & 0x1F) << 6 | Int(byte & 0x3F)]
                for index in 0..<letter.count { folded.append(UInt8(truncatingIfNeeded: letter.bytes >> (8 * index))) }
            case ..<0xCA:
                lead = byte
            default:
                return nil
            }
        }
        return folded
    }

    /// Holds at most four bytes, the first in the lowest bits.
    private struct FoldedScalar: BitwiseCopyable {
        var count = 0
        var bytes: UInt32 = 0
    }

    /// The table for UTF-8 that begins with 0xC2 to 0xC9. Each form begins with a letter, so each scalar can be folded
    /// alone.
    private static let latin: [FoldedScalar] = (0..<0x280).map { value in
        guard let scalar = Unicode.Scalar(UInt16(value)) else { return FoldedScalar() }
        return foldedByProperties(String(scalar)).reversed().reduce(into: FoldedScalar()) { folded, byte in
            folded.count += 1
            folded.bytes = folded.bytes << 8 | UInt32(byte)
        }
    }

    /// Valid only during the call. For ASCII names it does not allocate.
    package static func with<Result>(_ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = name
        return text.withUTF8 { source in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.count) { folded in
                for (place, byte) in source.enumerated() {
                    guard byte < 0x80 else { return FoldedName(name).utf8.withUnsafeBufferPointer(body) }
                    folded[place] = lowercased(byte)
                }
                return body(UnsafeBufferPointer(folded))
            }
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

/// A prefix, and the range of heads (`PackedTexts.head`) of the names that begin with it.
struct FoldedPrefix {
    let utf8: UnsafeBufferPointer<UInt8>
    /// Padded with zero bits.
    let firstHead: UInt64
    /// Padded with one bits.
    let lastHead: UInt64

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        self.utf8 = utf8
        let head = PackedTexts.head(utf8)
        firstHead = head
        lastHead = utf8.count < PackedTexts.headByteCount ? head | UInt64.max >> UInt64(8 * utf8.count) : head
    }

    var isDecidedByHead: Bool { utf8.count <= PackedTexts.headByteCount }
}
