internal import MarvelDomain

/// A request's complete URL with its credentials. Never show it.
struct SignedURL {
    let text: String

    init(gateway: GatewayURL, path: String, query: [(String, String)], timestamp: String, keys: MarvelKeys) {
        let hash = MarvelSignature.hash(timestamp: timestamp, keys: keys)
        let credentials = [("apikey", keys.publicKey), ("ts", timestamp), ("hash", hash)]
        let parameters = (query + credentials).map { $0.0 + "=" + PercentEncoding.encoded($0.1) }
        self.text = gateway.base + GatewayURL.apiRoot + path + "?" + parameters.joined(separator: "&")
    }
}

package enum PercentEncoding {
    /// Encodes every byte that is not unreserved (RFC 3986 section 2.3) as `%XX`. A space is `%20`, because not every
    /// gateway decodes `+`.
    package static func encoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
