/// The name of a favorites list: 1 to 64 of `A-Z a-z 0-9 . _ -`, case-sensitive.
public struct ListName: Sendable, Hashable, CustomStringConvertible {
    /// The list of callers without a list name.
    public static let `default` = ListName(unchecked: "default")
    public static let maximumLength = 64

    public let text: String

    /// Creates a name from a text; nil if it breaks the rules. An empty text means `default`.
    public init?(_ text: String) {
        guard !text.isEmpty else {
            self = .default
            return
        }
        guard text.utf8.count <= ListName.maximumLength, text.hasOnlyBytes(ListName.isAllowed) else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}

extension String {
    /// Whether all bytes satisfy a condition. Through the view of a text, each byte would take ten times as long.
    func hasOnlyBytes(_ isAllowed: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? utf8.allSatisfy(isAllowed)
    }
}
