package import NIOCore

/// A call that continues after the event that began it: a stream, or an answer that is not in memory.
///
/// It is a class, so that each message of a stream takes one lookup and copies nothing. Its runner holds it, and so does its work.
package final class RunningCall {
    enum Style {
        case response
        case stream
    }

    enum Next {
        /// The request of a method that starts when there is credit for its first message.
        indirect case request(IncomingCall)
        case source(any MessageSource)
        case step(Step)
        case entry

        /// Nil without a source. Unlike a closure, it moves the source.
        init?(_ source: consuming (any MessageSource)?) {
            guard let source else { return nil }
            self = .source(source)
        }
    }

    struct Reading {
        unowned let readers: LogReaders
        var place: Int
        /// When its wait for a message times out, if ever.
        var deadline: NIODeadline?
        var cursor: LogCursor
    }

    package let id: StreamID
    let style: Style
    /// Whether the stream has no end: it may wait for events, and a draining server ends it.
    let isWatch: Bool
    let method: RPCMethod
    package let caller: CallerID
    let principal: Principal
    /// The facts that are counted and logged when it has ended.
    var end: EndedCall
    /// The size of the request, which its work may retain, in bytes.
    package let requestByteCount: Int
    package let deadline: NIODeadline?
    var credit: CallCredit
    /// When the next message has waited for credit too long; nil without such a message.
    var creditDeadline: NIODeadline?
    /// Whether the credit of its next message is spent.
    var holdsCredit = false
    var hasSentInTurn = false
    var next: Next?
    var isReady = false
    var isWorking = false
    /// Cancels its work; nil without any. Whoever runs the work sets it.
    package var cancelWork: (@Sendable () -> Void)?
    /// Whether it sends nothing more. Its work may still run.
    var isOver = false
    var reading: Reading?
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
        self.caller = call.caller
        self.principal = call.principal
        end = EndedCall(
            method,
            call.system,
            startedAt: now,
            principal: call.principal,
            trace: TraceParent(call.metadata)
        )
        self.requestByteCount = call.payload.readableBytes + call.metadata.byteCount
        self.deadline = call.deadline
        self.credit = credit
        end.hasSentMessage = false
    }

    package var trace: TraceParent? { end.trace }

    /// Nil if it accepts further requests.
    func takeNext() -> Next? { next.take() }

    func turnEnded(now: NIODeadline) {
        hasSentInTurn = false
        end.turnEnded(now: now, isPaused: !isWorking && !isWatch)
    }

    /// Spends the credit for its next message, unless already spent. Returns false without credit.
    func spendCredit() -> Bool {
        if holdsCredit {
            holdsCredit = false
            return true
        }
        return credit.spend()
    }

    var nextCheck: NIODeadline? {
        var first = deadline
        for time in [creditDeadline, readingTimeout] {
            if let time { first = min(first ?? time, time) }
        }
        return first
    }

    /// When its wait for a message of a log times out, while it waits.
    var readingTimeout: NIODeadline? { isReady || creditDeadline != nil ? nil : reading?.deadline }

    /// The size of a finished answer that waits for its turn, in bytes.
    var finishedByteCount: Int {
        guard case .step(.message(let message, _)) = next else { return 0 }
        return message.byteCount
    }

    /// The size of its requests that wait for credit or for their turn, in bytes.
    var waitingByteCount: Int {
        if case .request = next { return requestByteCount }
        return requests?.waiting?.readableBytes ?? 0
    }

    var place: [String: String] {
        if let reading { return reading.cursor.restOfStream().place }
        guard case .source(let source) = next else { return [:] }
        return source.place
    }
}

struct FurtherRequests {
    let conversation: any Conversation
    /// The request that is not answered yet. The wire keeps those behind it.
    var waiting: ByteBuffer?
    var isEnded: Bool
}

final class LogReaders {
    let log: any MessageLog
    private(set) var calls: [RunningCall] = []
    var hasNews = false
    /// A cache of the last read message and the number before it: most calls read the same one.
    private var last: (after: Int64, entry: LogEntry)?
    /// The number of the log's last message, if known.
    private var end: Int64?

    init(of log: any MessageLog) { self.log = log }

    func add(_ call: RunningCall) -> Int {
        calls.append(call)
        return calls.count - 1
    }

    /// Removes the call at a place. The last call takes that place.
    func remove(at place: Int) {
        calls.swapAt(place, calls.count - 1)
        calls.removeLast()
        if place < calls.count { calls[place].reading?.place = place }
    }

    func messagesAppended() {
        hasNews = true
        // The log may have evicted its earlier messages.
        (last, end) = (nil, nil)
    }

    func entry(after number: Int64) -> LogEntry {
        if number == end { return .nothing }
        if let last, last.after == number { return last.entry }
        let entry = log.entry(after: number)
        switch entry {
        case .message: last = (number, entry)
        case .nothing: end = number
        case .missed: break
        }
        return entry
    }

    func hasEntry(after number: Int64) -> Bool {
        if number == end { return false }
        if case .nothing = entry(after: number) { return false }
        return true
    }
}
