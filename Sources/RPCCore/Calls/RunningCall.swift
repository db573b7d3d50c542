internal import NIOCore

/// A call that continues after the event that began it: a stream, or an answer that is not in memory.
///
/// It is a class, so that each message of a stream takes one look-up and copies nothing. Only its runner, which cannot be
/// copied, holds it.
final class RunningCall {
    /// The form in which the caller wants the answer, whatever the method.
    enum Style {
        /// One answer: the first message.
        case response
        /// Messages, then the end of the stream.
        case stream
    }

    /// The next thing to send when it is this call's turn.
    enum Next {
        /// The rest of a stream, to be asked for its next message.
        case source(any MessageSource)
        /// The result of work. Its credit is spent.
        case step(Step)
        /// The next message of the log that it reads.
        case entry
    }

    /// The reading of a log.
    struct Reading {
        unowned let readers: LogReaders
        /// The index of the call in `readers.calls`.
        var place: Int
        /// The time at which its wait for a message times out; nil if it does not wait or waits for as long as it lasts.
        var deadline: NIODeadline?
        var cursor: LogCursor
    }

    let id: StreamID
    let style: Style
    /// Whether the stream has no end of its own: it may wait for events, and a server that stops ends it.
    let isWatch: Bool
    let method: RPCMethod
    let system: RPCSystem
    let caller: CallerID
    let principal: Principal
    let trace: TraceParent?
    let startedAt: NIODeadline
    /// The size of the messages that were sent, in bytes.
    var sentByteCount = 0
    let requestByteCount: Int
    /// The caller's deadline; nil is none.
    let deadline: NIODeadline?
    var credit: CallCredit
    /// The time at which its next message will have waited for credit too long; nil if none waits.
    var creditDeadline: NIODeadline?
    /// Whether the credit for its next message is spent already.
    var holdsCredit = false
    /// Whether a message of its stream was sent.
    var hasSentMessage = false
    /// The end of the turn in which the first message of its stream was sent; nil before that.
    var firstMessageAt: NIODeadline?
    /// The pauses between a message of its stream and the work for the next one, while it waits for credit or for a reader.
    private(set) var pauses = TimeAmount.zero
    /// The beginning of the present pause; nil if there is none.
    private(set) var pausedAt: NIODeadline?
    /// Whether it sent a message in this turn, and the turn has not ended.
    var hasSentInTurn = false
    var next: Next?
    /// Whether it is in the queue of calls that may send.
    var isReady = false
    /// Whether a task runs for it.
    var isWorking = false
    /// The log that it reads; nil if it reads none.
    var reading: Reading?
    /// The further requests that it takes; nil if it takes none.
    var requests: FurtherRequests?

    init(
        _ id: StreamID,
        style: Style,
        of method: RPCMethod,
        _ call: IncomingCall,
        credit: CallCredit,
        now: NIODeadline
    ) {
        self.id = id
        self.style = style
        self.isWatch = method.isWatch
        self.method = method
        self.system = call.system
        self.caller = call.caller
        self.principal = call.principal
        self.trace = TraceParent(call.metadata)
        self.startedAt = now
        self.requestByteCount = call.payload.readableBytes
        self.deadline = call.deadline
        self.credit = credit
    }

    /// Removes and returns the next thing to send; nil if it takes further requests.
    func takeNext() -> Next? {
        defer { next = nil }
        return next
    }

    /// Notes the end of a turn in which it sent a message.
    func turnEnded(now: NIODeadline) {
        hasSentInTurn = false
        firstMessageAt = firstMessageAt ?? now
        if !isWorking { pausedAt = pausedAt ?? now }
    }

    /// Ends the pause, because the next message is made now.
    func endPause(now: NIODeadline) {
        guard let begun = pausedAt else { return }
        pauses = pauses + max(.zero, now - begun)
        pausedAt = nil
    }

    /// Takes the credit for its next message, if it is not spent already.
    ///
    /// - Returns: Whether there was some.
    func spendCredit() -> Bool {
        if holdsCredit {
            holdsCredit = false
            return true
        }
        return credit.spend()
    }

    /// The first of its times; nil if it has none.
    var nextCheck: NIODeadline? {
        var first = deadline
        for time in [creditDeadline, readingTimeout] {
            if let time { first = min(first ?? time, time) }
        }
        return first
    }

    /// The time at which its wait for a message of a log times out; nil if it does not wait for one.
    var readingTimeout: NIODeadline? { isReady || creditDeadline != nil ? nil : reading?.deadline }

    /// The size of an answer that is ready and waits for its turn, in bytes.
    var finishedByteCount: Int {
        guard case .step(.message(let message, _)) = next else { return 0 }
        return message.byteCount
    }

    /// The point from which its caller resumes if it ends here.
    var place: [String: String] {
        if let reading { return reading.cursor.restOfStream().place }
        guard case .source(let source) = next else { return [:] }
        return source.place
    }
}

/// The messages that the peer lets a stream still send.
package enum CallCredit: Sendable, Hashable {
    case unlimited
    case messages(UInt32)

    /// Takes the credit of one message.
    ///
    /// - Returns: Whether there was some.
    mutating func spend() -> Bool {
        switch self {
        case .unlimited: return true
        case .messages(0): return false
        case .messages(let count):
            self = .messages(count - 1)
            return true
        }
    }

    var isEmpty: Bool { self == .messages(0) }
}

/// The request messages of a conversation that are not answered yet.
final class FurtherRequests {
    /// The maximum number of requests that wait for their answers.
    static let maximumCount = 16

    let conversation: any Conversation
    var waiting: CircularBuffer<ByteBuffer>
    /// Whether the peer sends no more.
    var isEnded: Bool

    init(_ conversation: any Conversation, first: ByteBuffer, isEnded: Bool) {
        self.conversation = conversation
        self.waiting = [first]
        self.isEnded = isEnded
    }
}
