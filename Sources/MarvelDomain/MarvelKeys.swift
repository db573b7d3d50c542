/// The two keys of an account of a Marvel gateway. No description, dump or mirror shows the private key. Other targets
/// cannot read it, and check or make signatures with `MarvelSignature`.
package struct MarvelKeys: Sendable, Hashable {
    package let publicKey: String
    let privateKey: String

    /// Nil if a key is empty or contains white space or control characters, which is a copying mistake.
    package init?(publicKey: String, privateKey: String) {
        guard MarvelKeys.isKey(publicKey), MarvelKeys.isKey(privateKey) else { return nil }
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    /// Whether a text contains one of the keys, in any letter case.
    package func occur(in text: String) -> Bool {
        let lowercased = text.lowercased()
        return [publicKey, privateKey].contains { lowercased.contains($0.lowercased()) }
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

/// The signature of a request: lowercase hex of MD5 over timestamp, private key, public key.
package enum MarvelSignature {
    package static func hash(timestamp: String, keys: MarvelKeys) -> String {
        // MD5 is broken as a protection, but the contract requires it.
        Digest.md5.hexadecimal(of: Array((timestamp + keys.privateKey + keys.publicKey).utf8))
    }

    /// Whether `hash` is the signature of `timestamp` under `keys`, in any letter case like the original gateway. The
    /// comparison takes constant time.
    package static func isValid(_ hash: String, timestamp: String, keys: MarvelKeys) -> Bool {
        let expected = Array(self.hash(timestamp: timestamp, keys: keys).utf8)
        return isEqualInConstantTime(expected, Array(hash.lowercased().utf8))
    }
}

/// A pair of keys in the gateway that issued them, and its permissions.
package struct GatewayAccount: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case active
        /// A known account that may not use the service.
        case unentitled
        /// The account may use the service, but not the requested resource.
        case forbidden
    }

    package var keys: MarvelKeys
    package var status: Status

    package init(_ keys: MarvelKeys, status: Status = .active) {
        self.keys = keys
        self.status = status
    }
}
