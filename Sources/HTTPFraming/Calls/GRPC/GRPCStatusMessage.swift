/// The text of the `grpc-message` trailer. It is UTF-8 with `%XX` for the percent sign and every byte that is not
/// printable ASCII (grpc/doc/PROTOCOL-HTTP2.md, "Status-Message").
package enum GRPCStatusMessage {
    /// A text in the form of the trailer, truncated to the maximum.
    package static func encoded(_ text: String, maximumByteCount: Int = .max) -> String {
        guard text.utf8.count > maximumByteCount || text.utf8.contains(where: isEscaped) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let start = bytes.count
            for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
                if isEscaped(byte) {
                    bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
                } else {
                    bytes.append(byte)
                }
            }
            guard bytes.count <= maximumByteCount else {
                bytes.removeSubrange(start...)
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        !(0x20...0x7E).contains(byte) || byte == UInt8(ascii: "%")
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
