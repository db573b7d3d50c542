internal import Framing
internal import NIOCore
internal import RPCCore

/// A call that continues after the turn in which it arrived: a stream, or an answer that was not in memory.
///
/// It owns the task, the wait and the timer that must end with it. It is a class, so that each message of a stream
/// takes one look-up and copies nothing.
final class ActiveCall {
    /// The form in which the caller wants the answer, whatever the method.
    enum Style {
        /// One Response with the (first) message.
        case response
        /// Data frames, then the end of the stream.
        case stream
    }

    /// The next thing to send when it is this call's turn.
    enum Next {
        /// The rest of a stream, to be asked for its next message.
        case source(any MessageSource)
        /// The result of work that ended while the peer did not read. Its credit is spent.
        case step(Step)
    }

    let id: StreamID
    let style: Style
    /// Whether the stream has no end of its own: it may wait for events, and a server that stops ends it.
    let isWatch: Bool
    let requestByteCount: Int
    var next: Next?
    /// The wait for an event; nil while it does not wait.
    var waiting: WaitingCall?
    /// Whether the first message of its stream is written.
    var hasWrittenMessage = false
    /// Whether the credit for its next message is spent already.
    var holdsCredit = false
    var task: Task<Void, Never>?
    /// The caller's deadline; nil is none.
    var deadline: NIODeadline?
    var deadlineTimer: LoopTimer?

    init(_ id: StreamID, style: Style, isWatch: Bool = false, requestByteCount: Int) {
        self.id = id
        self.requestByteCount = requestByteCount
        self.style = style
        self.isWatch = isWatch
    }

    /// The size of an answer that is ready and waits for the peer to read, in bytes.
    var finishedByteCount: Int {
        guard case .step(.message(let message, _)) = next else { return 0 }
        return message.byteCount
    }

    /// The point from which its caller resumes if it ends here.
    var place: [String: String] {
        if let waiting { return waiting.wait.then.place }
        guard case .source(let source) = next else { return [:] }
        return source.place
    }

    func stop() {
        task?.cancel()
        waiting?.end()
        waiting = nil
        deadlineTimer?.cancel()
    }
}
