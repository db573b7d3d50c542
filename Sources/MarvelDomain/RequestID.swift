/// The id of a request, which makes it safe to send again (AIP-155): 1 to 36 printable ASCII characters, preferably a
/// UUID.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    public static let maximumLength = 36

    public let text: String

    /// Creates an id from a text; nil if it is empty, too long, or not printable ASCII.
    public init?(_ text: String) {
        guard (1...RequestID.maximumLength).contains(text.utf8.count),
            text.hasOnlyBytes({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// A unique id: 32 random hexadecimal digits.
    package static func generated() -> RequestID {
        let digits = (0..<2).map { _ in HistoryID(.random(in: .min ... .max)).description }
        return RequestID(unchecked: digits.joined())
    }

    public var description: String { text }
}

/// A request id with its caller: the same id of two callers is two requests.
package struct RequestKey: Sendable, Hashable {
    /// The name of the caller; empty for callers without a name.
    package var principal: String
    package var id: RequestID

    package init(_ id: RequestID, of principal: String = "") {
        self.principal = principal
        self.id = id
    }

    /// Nil without an id.
    package init?(_ id: RequestID?, of principal: String = "") {
        guard let id else { return nil }
        self.init(id, of: principal)
    }
}
