internal import NIOCore
internal import RPCCore

/// A call that outlives the turn in which it arrived: a stream, or an answer that memory did not have.
///
/// It owns what must end with it.
struct ActiveCall {
    /// How the caller wants the answer, whatever the method.
    enum Style {
        /// One Response with the (first) message.
        case response
        /// Data frames, then the end of the stream.
        case stream
    }

    let style: Style
    /// The rest of a stream, while it is not being asked for its next message.
    var rest: (any MessageSource)?
    var task: Task<Void, Never>?
    var deadlineTimer: Scheduled<Void>?

    init(style: Style) { self.style = style }

    func stop() {
        task?.cancel()
        deadlineTimer?.cancel()
    }
}
