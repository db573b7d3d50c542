internal import Foundation

/// A name as searches compare it: canonical decomposition, marks (category Mn) dropped, lower case, as UTF-8.
///
/// Nothing else is ignored, so that the names which begin with a prefix are one run in the order of these bytes.
package struct FoldedName: Sendable, Hashable, Comparable {
    package let utf8: [UInt8]

    package init(_ name: String) {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // Nearly every name: no table of Unicode is needed for it.
            utf8 = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return
        }
        var folded = ""
        for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            folded.unicodeScalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
        utf8 = Array(folded.utf8)
    }

    package static func < (left: FoldedName, right: FoldedName) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    package func hasPrefix(_ prefix: FoldedName) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}
