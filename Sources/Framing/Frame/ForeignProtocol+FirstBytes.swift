internal import NIOCore
internal import RPCCore

extension ForeignProtocol {
    /// - Parameter firstBytes: The first bytes. The first one is not 0, with which every frame begins.
    init(firstBytes: ByteBufferView) {
        switch firstBytes.first {
        case 0x16: self = .tls
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")): self = .http
        default: self = .unknown
        }
    }
}
