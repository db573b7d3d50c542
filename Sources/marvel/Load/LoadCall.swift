internal import Framing
internal import LoadEngine
internal import NIOCore
internal import RPCCore

/// One call under way.
struct LoadCall {
    let operation: Operation
    /// What its latency counts from: when it was sent, or in the open model when it was due.
    let origin: Nanoseconds
    /// When the request under way was sent: of a walk, the page's.
    var sent: Nanoseconds
    /// Of the queries; where a walk goes on.
    let query: Int
    /// False if it began while warming up.
    let isMeasured: Bool
    var firstPage: Nanoseconds?
    var pages = 0
    var bytes = 0

    /// How the connection is to read the answer.
    var kind: RPCCore.Method.Kind { operation == .stream ? .serverStreaming : .unary }

    mutating func pageReceived(at now: Nanoseconds) {
        pages += 1
        if operation.hasFirstPage, firstPage == nil { firstPage = now - origin }
    }

    mutating func frameReceived(_ data: ByteBuffer) {
        bytes += FrameHeader.byteCount + data.readableBytes
    }
}
