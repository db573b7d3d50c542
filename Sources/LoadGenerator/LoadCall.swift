internal import LoadEngine
internal import NIOCore

/// One active call.
struct LoadCall {
    let operation: Operation
    /// The start of its latency: the time at which it was sent, or at which it was due in the open model.
    let origin: Nanoseconds
    /// The time at which the active request was sent; in a walk, the request for the current page.
    var sent: Nanoseconds
    /// The index of the query, with which a walk continues.
    let query: Int
    /// Whether the call counts; false if it began during the warm-up.
    let isMeasured: Bool
    var firstPage: Nanoseconds?
    var pages = 0
    var bytes = 0

    mutating func pageReceived(at now: Nanoseconds) {
        pages += 1
        if operation.hasFirstPage, firstPage == nil { firstPage = now - origin }
    }

    mutating func messageReceived(_ message: ByteBuffer) {
        bytes += message.readableBytes
    }
}
