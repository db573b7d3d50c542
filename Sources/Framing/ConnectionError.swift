internal import NIOCore

/// What ends a connection and fails its open calls.
package enum ConnectionError: Error, Sendable, Hashable {
    /// The peer speaks another protocol, or framing is lost.
    case notThisProtocol(Stranger)
    /// A frame that began did not end in time, or the first one never began.
    case frameTimeout(after: Duration)
    /// The peer reads nothing, and what waits for it has been waiting this long.
    case writeTimeout(after: Duration)
    /// The server has as many connections as it may.
    case connectionLimit(Int)
    /// The extension's own messages must be messages.
    case malformedHello
}

extension ConnectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notThisProtocol(.http): "the peer speaks HTTP, this port does not"
        case .notThisProtocol(.tls): "the peer speaks TLS, this port does not"
        case .notThisProtocol(.unknown): "what the peer sent is no frame"
        case .frameTimeout(let limit): "no whole frame arrived within \(limit)"
        case .writeTimeout(let limit): "the peer read nothing for \(limit)"
        case .connectionLimit(let limit): "\(limit) connections are open, which is the limit"
        case .malformedHello: "the peer's Hello is no Hello message"
        }
    }
}

/// Who knocks at the framed port by mistake, as far as the first bytes tell.
package enum Stranger: Sendable, Hashable {
    case http
    case tls
    case unknown

    /// The first byte is known not to be 0, with which every frame starts.
    init(firstBytes: ByteBufferView) {
        switch firstBytes.first {
        case 0x16: self = .tls
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")): self = .http
        default: self = .unknown
        }
    }
}
