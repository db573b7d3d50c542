/// The id of a request, which makes it safe to send again (AIP-155): 1 to 36 printable ASCII characters, preferably a
/// UUID.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of an id, in characters.
    public static let maximumLength = 36

    /// The id as text.
    public let text: String

    /// Creates an id from a text; nil if it is empty, too long, or not printable ASCII.
    public init?(_ text: String) {
        guard (1...RequestID.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    /// The text.
    public var description: String { text }
}
