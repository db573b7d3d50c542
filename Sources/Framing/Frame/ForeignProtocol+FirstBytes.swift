internal import NIOCore
internal import RPCCore

extension ForeignProtocol {
    /// The first byte is not 0, with which every frame begins.
    init(firstBytes: ByteBufferView) {
        switch firstBytes.first {
        // A handshake, and the alert with which a server answers clear text.
        case 0x15, 0x16: self = .tls
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")): self = .http
        default: self = .unknown
        }
    }
}
