import NIOCore
import RPCCore

/// A client of Connect over HTTP/1.1, or of a port of pages.
struct HTTP1Codec: WireCodec {
    enum Form {
        case proto, json, page
    }

    /// The part of an answer that comes next.
    private enum State {
        case head
        case body(status: Int, byteCount: Int)
        case chunk
    }

    let form: Form
    var replies = ByteBuffer()
    private var state = State.head
    private var envelopes = Envelopes()
    /// The calls that have no answer.
    private var waiting = CircularBuffer<(call: Int, isStream: Bool)>()

    init(_ form: Form) { self.form = form }

    mutating func encode(_ call: Call, number: Int) -> ByteBuffer {
        waiting.append((number, call.isStream))
        var fields = [("Host", "localhost")] + call.metadata
        if let timeout = call.timeout { fields.append(("Connect-Timeout-Ms", "\(timeout.milliseconds)")) }
        guard form != .page else {
            let digits = call.request.readableBytesView.map { "\($0)" }.joined(separator: ",")
            return Self.head("GET /\(call.path.method)?\(digits)", fields)
        }
        let body = call.isStream ? Envelopes.prefixed(call.request) : call.request
        let type = "application/\(call.isStream ? "connect+" : "")\(form == .json ? "json" : "proto")"
        fields += [("Content-Type", type), ("Content-Length", "\(body.readableBytes)")]
        var bytes = Self.head("POST /\(call.path)", fields)
        bytes.writeImmutableBuffer(body)
        return bytes
    }

    private static func head(_ request: String, _ fields: [(String, String)]) -> ByteBuffer {
        ByteBuffer(string: "\(request) HTTP/1.1\r\n\(fields.map { "\($0.0): \($0.1)\r\n" }.joined())\r\n")
    }

    mutating func decode(_ bytes: inout ByteBuffer, into parts: inout [AnswerPart]) throws {
        while let (call, isStream) = waiting.first {
            switch state {
            case .head:
                guard let head = bytes.readLine(endingWith: "\r\n\r\n") else { return }
                let lines = head.split(separator: "\r\n")
                let status = Int(lines[0].split(separator: " ")[1]) ?? 0
                let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }
                let byteCount = length.flatMap { Int($0.dropFirst("content-length: ".count)) }
                if lines.contains("connection: close") { parts.append(.goAway("close")) }
                state = byteCount.map { .body(status: status, byteCount: $0) } ?? .chunk
            case .body(let status, let byteCount):
                guard let body = bytes.readSlice(length: byteCount) else { return }
                if status != 200 {
                    parts.append(.end(call: call, ConnectError.error(in: body, status: status)))
                } else if isStream {
                    envelopes.append(body)
                    try envelopes.takeConnect(of: call, into: &parts)
                } else {
                    parts += [.message(call: call, body), .end(call: call, nil)]
                }
                answerEnded()
            case .chunk:
                var rest = bytes
                guard let line = rest.readLine(endingWith: "\r\n"), let byteCount = Int(line, radix: 16),
                    let chunk = rest.readSlice(length: byteCount), rest.readSlice(length: 2) != nil
                else { return }
                bytes = rest
                envelopes.append(chunk)
                try envelopes.takeConnect(of: call, into: &parts)
                if byteCount == 0 { answerEnded() }
            }
        }
    }

    private mutating func answerEnded() {
        state = .head
        envelopes = Envelopes()
        waiting.removeFirst()
    }
}

extension ByteBuffer {
    /// Reads text up to its end, which is removed; nil if the end has not arrived.
    mutating func readLine(endingWith end: String) -> String? {
        let view = readableBytesView
        guard let range = view.firstRange(of: Array(end.utf8)) else { return nil }
        let text = readString(length: range.lowerBound - view.startIndex)
        moveReaderIndex(forwardBy: end.utf8.count)
        return text
    }
}
