/// Answers, written by hand.
enum Answer {
    static func ok(_ body: [UInt8], headers: String = "") -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body
    }

    static func ok(_ body: String, headers: String = "") -> [UInt8] { ok(Array(body.utf8), headers: headers) }

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
    }
}

enum Brotli {
    /// One uncompressed meta-block (RFC 7932 section 9.2) of at most 65,536 bytes, and an empty last one.
    static func stored(_ body: [UInt8]) -> [UInt8] {
        // From the lowest bit: window of 16 bits; not last; length in 4 nibbles; the length less 1; uncompressed.
        let header = (body.count - 1) << 4 | 1 << 20
        return (0..<3).map { UInt8(truncatingIfNeeded: header >> ($0 * 8)) } + body + [0x03]
    }
}
