internal import Crypto

/// The signature of a request (MARVEL_API section 2): lowercase hex of MD5 over timestamp, private key, public key.
package enum MarvelSignature {
    /// The `hash` that goes with the `ts` and `apikey` of a request.
    package static func hash(timestamp: String, privateKey: String, publicKey: String) -> String {
        // MD5 proves nothing to an attacker of today; it is what the contract says.
        let digest = Insecure.MD5.hash(data: Array((timestamp + privateKey + publicKey).utf8))
        return String(decoding: digest.flatMap(hexDigits), as: UTF8.self)
    }

    package static func hash(timestamp: String, keys: MarvelKeys) -> String {
        hash(timestamp: timestamp, privateKey: keys.privateKey, publicKey: keys.publicKey)
    }

    /// Whether `hash` is the signature of `timestamp` under `keys`. Letter case is ignored, as the gateway does.
    ///
    /// The time it takes does not depend on how much of a wrong hash is right.
    package static func isValid(_ hash: String, timestamp: String, keys: MarvelKeys) -> Bool {
        let expected = Array(self.hash(timestamp: timestamp, keys: keys).utf8)
        let given = Array(hash.utf8)
        guard given.count == expected.count else { return false }
        let difference = zip(expected, given).reduce(UInt8(0)) { $0 | ($1.0 ^ lowercased($1.1)) }
        return difference == 0
    }

    private static func hexDigits(_ byte: UInt8) -> [UInt8] { [hexDigit(byte >> 4), hexDigit(byte & 0x0F)] }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
