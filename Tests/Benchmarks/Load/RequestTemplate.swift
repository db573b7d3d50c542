import Framing
import NIOCore
import RPCCore
import WireMessages

/// A Request frame that is sent many times: only its stream id differs, and the request id if it has one.
struct RequestTemplate {
    /// Stands in the template where each call's own request id goes.
    static let requestID = "request-id--here"

    let bytes: [UInt8]
    private let requestIDStart: Int?

    init(_ envelope: RequestEnvelope, flags: FrameFlags = []) {
        var frame = ByteBuffer()
        frame.writeFrame(.request, on: 0, flags: flags, data: envelope.encoded())
        let bytes = Array(frame.readableBytesView)
        let placeholder = Array(RequestTemplate.requestID.utf8)
        self.bytes = bytes
        requestIDStart = bytes.indices.first { bytes[$0...].starts(with: placeholder) }
    }

    /// Writes the frame at `target`, which has room for it.
    ///
    /// - Parameters:
    ///   - target: Where the frame starts.
    ///   - stream: The call's id.
    ///   - call: A number that no other call of this load has.
    func write(to target: UnsafeMutableRawPointer, stream: UInt32, call: UInt64) {
        bytes.withUnsafeBytes { target.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
        (target + 4).storeBytes(of: stream.bigEndian, as: UInt32.self)
        guard let requestIDStart else { return }
        for digit in 0..<RequestTemplate.requestID.utf8.count {
            let value = UInt8(truncatingIfNeeded: call >> (4 * digit)) & 0xF
            (target + requestIDStart + digit).storeBytes(of: UInt8(ascii: "a") + value, as: UInt8.self)
        }
    }
}
