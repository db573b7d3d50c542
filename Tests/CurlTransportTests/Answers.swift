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
