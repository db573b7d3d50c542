internal import NIOCore
internal import RPCCore

/// Requests that arrived while their peer does not read, and the later frames of their streams.
///
/// Reading must not depend on writing: otherwise two sides that both write wait for each other forever. The memory is
/// bounded: when it is full, reading stops.
package struct HeldRequests: Sendable {
    /// The approximate memory of a frame beyond its data, in bytes.
    package static let bytesPerFrame = 128

    private let maximumCount: Int
    private let maximumBytes: Int
    private var frames = CircularBuffer<FrameDecoder.Output>()
    private var requests = CircularBuffer<StreamID>()
    package private(set) var byteCount = 0

    /// `maximumBytes` includes `bytesPerFrame` for each frame. The frame that reaches it is kept too.
    package init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    package var isEmpty: Bool { frames.isEmpty }

    package var isFull: Bool { requests.count >= maximumCount || byteCount >= maximumBytes }

    package enum OnFrame: Sendable, Hashable {
        case hold
        /// Pass the frame to the rules now.
        case process
        /// A Cancel of a held request, which was removed before it was processed.
        case withdraw
    }

    /// `obeysCancel` means that the peer supports the extensions.
    package mutating func frameReceived(_ output: FrameDecoder.Output, obeysCancel: Bool) -> OnFrame {
        let header = output.header
        switch header.type {
        case .request:
            requests.append(header.streamID)
            keep(output)
            return .hold
        case .cancel where obeysCancel && requests.contains(header.streamID):
            withdraw(header.streamID)
            return .withdraw
        case .data where requests.contains(header.streamID), .credit where requests.contains(header.streamID):
            keep(output)
            return .hold
        default:
            return .process
        }
    }

    /// Call it when the peer reads again.
    package mutating func next() -> FrameDecoder.Output? {
        guard let output = frames.popFirst() else { return nil }
        byteCount -= output.heldByteCount
        if output.header.type == .request { requests.removeFirst() }
        return output
    }

    private mutating func keep(_ output: FrameDecoder.Output) {
        byteCount += output.heldByteCount
        frames.append(output.detached)
    }

    private mutating func withdraw(_ id: StreamID) {
        requests.removeAll { $0 == id }
        byteCount -= frames.lazy.filter { $0.header.streamID == id }.reduce(0) { $0 + $1.heldByteCount }
        frames.removeAll { $0.header.streamID == id }
    }
}

extension FrameDecoder.Output {
    package var header: FrameHeader {
        switch self {
        case .frame(let frame): frame.header
        case .oversized(let header, _): header
        }
    }

    fileprivate var heldByteCount: Int {
        switch self {
        case .frame(let frame): HeldRequests.bytesPerFrame + frame.data.readableBytes
        case .oversized: HeldRequests.bytesPerFrame
        }
    }

    /// A slice would keep the whole buffer that it was read into.
    fileprivate var detached: FrameDecoder.Output {
        guard case .frame(var frame) = self else { return self }
        frame.data = ByteBuffer(bytes: frame.data.readableBytesView)
        return .frame(frame)
    }
}
