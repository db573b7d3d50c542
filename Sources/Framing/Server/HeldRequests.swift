package import NIOCore
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
    private var frames = CircularBuffer<(output: FrameDecoder.Output, arrivedAt: NIODeadline)>()
    /// The streams of the requests among the frames, in the same order.
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

    /// For a frame that arrived while the peer does not read, or while earlier requests wait here. `obeysCancel` means
    /// that the peer supports the extensions.
    package mutating func frameReceived(
        _ output: FrameDecoder.Output,
        obeysCancel: Bool,
        now: NIODeadline
    ) -> OnFrame {
        let header = output.header
        switch header.type {
        case .request:
            requests.append(header.streamID)
            keep(output, now: now)
            return .hold
        case .cancel where obeysCancel && requests.contains(header.streamID):
            withdraw(header.streamID)
            return .withdraw
        case .data where requests.contains(header.streamID), .credit where requests.contains(header.streamID):
            keep(output, now: now)
            return .hold
        default:
            return .process
        }
    }

    /// Call it when the peer reads again.
    package mutating func next() -> (output: FrameDecoder.Output, arrivedAt: NIODeadline)? {
        guard let (output, arrivedAt) = frames.popFirst() else { return nil }
        byteCount -= output.heldByteCount
        if output.header.type == .request { requests.removeFirst() }
        return (output, arrivedAt)
    }

    private mutating func keep(_ output: FrameDecoder.Output, now: NIODeadline) {
        byteCount += output.heldByteCount
        frames.append((output.detached, now))
    }

    private mutating func withdraw(_ id: StreamID) {
        requests.removeAll { $0 == id }
        byteCount -= frames.lazy.map(\.output).filter { $0.header.streamID == id }.reduce(0) { $0 + $1.heldByteCount }
        frames.removeAll { $0.output.header.streamID == id }
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
