/// What makes a toggle safe to send again (AIP-155): 1 to 36 printable ASCII characters, a UUID recommended.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    public static let maximumLength = 36

    public let text: String

    /// Nil if the text is empty, too long, or not printable ASCII.
    public init?(_ text: String) {
        guard (1...RequestID.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}
