internal import Framing
internal import NIOCore
internal import RPCCore

/// A call that outlives the turn in which it arrived: a stream, or an answer that memory did not have.
///
/// It owns what must end with it. A class, so that each message of a stream takes one look-up and copies nothing.
final class ActiveCall {
    /// How the caller wants the answer, whatever the method.
    enum Style {
        /// One Response with the (first) message.
        case response
        /// Data frames, then the end of the stream.
        case stream
    }

    /// What is to be sent when it is this call's turn.
    enum Next {
        /// The rest of a stream, to be asked for its next message.
        case source(any MessageSource)
        /// What work gave while the peer did not read; its credit is spent.
        case step(Step)
    }

    let id: StreamID
    let style: Style
    /// Without an end of its own: it may wait for what may happen, and a server that stops ends it.
    let isWatch: Bool
    let requestByteCount: Int
    var next: Next?
    /// Set while it waits for what may happen.
    var waiting: WaitingCall?
    /// The first message of its stream is written.
    var hasWrittenMessage = false
    /// The credit for its next message is spent already.
    var holdsCredit = false
    var task: Task<Void, Never>?
    /// The caller's; nil is never.
    var deadline: NIODeadline?
    var deadlineTimer: LoopTimer?

    init(_ id: StreamID, style: Style, isWatch: Bool = false, requestByteCount: Int) {
        self.id = id
        self.requestByteCount = requestByteCount
        self.style = style
        self.isWatch = isWatch
    }

    /// The bytes of an answer that is ready and waits for the peer to read.
    var finishedByteCount: Int {
        guard case .step(.message(let message, _)) = next else { return 0 }
        return message.byteCount
    }

    /// Where its caller goes on if it ends here.
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
