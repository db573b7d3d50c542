internal import Digests

/// The signature of a request: lowercase hex of MD5 over timestamp, private key, public key.
package enum MarvelSignature {
    /// Returns the `hash` for the `ts` and `apikey` of a request.
    package static func hash(timestamp: String, privateKey: String, publicKey: String) -> String {
        // MD5 is broken as a protection, but the contract prescribes it.
        Digest.md5.hexadecimal(of: Array((timestamp + privateKey + publicKey).utf8))
    }

    package static func hash(timestamp: String, keys: MarvelKeys) -> String {
        hash(timestamp: timestamp, privateKey: keys.privateKey, publicKey: keys.publicKey)
    }

    /// Whether `hash` is the signature of `timestamp` under `keys`. Letter case is ignored, as in the original gateway.
    ///
    /// The comparison takes constant time.
    package static func isValid(_ hash: String, timestamp: String, keys: MarvelKeys) -> Bool {
        let expected = Array(self.hash(timestamp: timestamp, keys: keys).utf8)
        return isEqualInConstantTime(expected, hash.utf8.map(lowercased))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
