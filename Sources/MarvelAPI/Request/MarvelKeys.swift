/// The two keys of a gateway account. No description, dump or mirror of this value shows the private key, and no other
/// target can read it: other targets check or make a signature with `MarvelSignature`.
package struct MarvelKeys: Sendable, Hashable {
    package let publicKey: String
    let privateKey: String

    /// Makes the pair. Nil if a key is empty or holds white space or control characters, which is a copying mistake.
    package init?(publicKey: String, privateKey: String) {
        guard MarvelKeys.isKey(publicKey), MarvelKeys.isKey(privateKey) else { return nil }
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    private static func isKey(_ text: String) -> Bool {
        let properties = text.unicodeScalars.map(\.properties)
        return !text.isEmpty && properties.allSatisfy { !$0.isWhitespace && $0.generalCategory != .control }
    }
}

extension MarvelKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "MarvelKeys(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
