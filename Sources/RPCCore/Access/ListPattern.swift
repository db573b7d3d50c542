/// The lists that a scope covers: one name, or all names with a prefix (`family-*`, `*`).
package struct ListPattern: Sendable, Hashable, CustomStringConvertible {
    package static let all = ListPattern(prefix: "")

    private let text: String
    private let isPrefix: Bool

    package init?(_ text: String) {
        let isPrefix = text.hasSuffix("*")
        let name = isPrefix ? text.dropLast() : text[...]
        guard name.utf8.count <= Self.maximumLength, isPrefix || !name.isEmpty, name.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = String(name)
        self.isPrefix = isPrefix
    }

    private init(prefix: String) {
        text = prefix
        isPrefix = true
    }

    private static let maximumLength = 64

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    package func covers(_ list: String) -> Bool {
        isPrefix ? list.utf8.starts(with: text.utf8) : list == text
    }

    func covers(_ other: ListPattern) -> Bool {
        isPrefix ? other.text.utf8.starts(with: text.utf8) : other == self
    }

    package var description: String { isPrefix ? "\(text)*" : text }
}
