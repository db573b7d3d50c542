internal import HTTPFraming
internal import NIOCore
internal import RPCCore

/// The open streams of an HTTP/2 connection, and what each of them waits for: the rest of its request, the end of a request
/// whose answer is known, a larger window, or room for its next message.
///
/// It sends no frames and runs no calls. The connection does both, and reports what happens to the streams.
struct HTTP2Streams {
    private var table = StreamTable<HTTP2Stream>()
    /// The requests that have to be complete before their calls begin.
    private var incomplete: IncompleteRequests
    /// The requests whose answers are known, and wait for their ends.
    private var pendingAnswers: IncompleteRequests
    /// The streams that were answered before the end of their requests, and that have to be reset.
    private var answeredEarly: [StreamID] = []
    /// The streams whose further requests stay in their bodies.
    private var heldBack: [StreamID] = []
    private var windows: RequestWindows
    /// The streams whose next message waits for the peer.
    private var waitingCount = 0

    init(_ configuration: ServerConfiguration) {
        incomplete = IncompleteRequests(timeout: configuration.limits.frameTimeout)
        pendingAnswers = IncompleteRequests(timeout: configuration.pendingAnswerTimeout)
        windows = RequestWindows(maximumAdmittedByteCount: configuration.limits.maximumHeldBytes)
    }

    subscript(id: StreamID) -> HTTP2Stream? { table.value(of: id) }

    var all: [HTTP2Stream] { table.values }

    var isEmpty: Bool { table.isEmpty }

    /// Whether there are requests that are not complete and not answered.
    var hasIncompleteRequests: Bool { !incomplete.isEmpty }

    var hasPendingAnswers: Bool { !pendingAnswers.isEmpty }

    /// The next time at which a request is late, or an answer has waited for long enough.
    var nextCheck: NIODeadline? {
        var first = FirstDeadline()
        first.consider(incomplete.nextCheck)
        first.consider(pendingAnswers.nextCheck)
        return first.time
    }

    // MARK: Begin and end

    mutating func begin(_ id: StreamID, isInputClosed: Bool) -> HTTP2Stream {
        let stream = HTTP2Stream(id, isInputClosed: isInputClosed)
        table.insert(stream, id)
        return stream
    }

    /// Forgets a stream that is over.
    ///
    /// - Returns: Whether it was there.
    mutating func forget(_ stream: HTTP2Stream) -> Bool {
        guard table.remove(stream.id) != nil else { return false }
        stream.isAnswered = true
        stopWaiting(stream)
        requestEnded(of: stream)
        return true
    }

    /// Releases all streams, because the channel is closed.
    mutating func removeAll() { table.removeAll() }

    // MARK: Requests

    /// Expects the rest of a stream's request, if its call is known.
    mutating func awaitRequest(of stream: HTTP2Stream, now: NIODeadline) {
        if case .begun = stream.request { incomplete.began(stream.id, now: now) }
    }

    /// Notes that a call needs nothing more to begin. Further requests of it may take any time.
    mutating func stopAwaiting(_ stream: HTTP2Stream) {
        incomplete.ended(stream.id)
        hold(0, of: stream)
        windows.ended(stream.id)
    }

    /// Notes that a request is complete, or that nothing more of it is wanted. `nextAdmitted` tells which others may continue.
    mutating func requestEnded(of stream: HTTP2Stream) {
        if case .answerPending = stream.request { pendingAnswers.ended(stream.id) }
        stream.request = .taken
        stopAwaiting(stream)
    }

    /// Returns, once, a stream whose request should have been complete by now; or any one that is not complete, if `now` is nil.
    mutating func takeIncomplete(expiredAt now: NIODeadline?) -> HTTP2Stream? {
        while let id = incomplete.takeFirst(expiredAt: now) {
            if let stream = table.value(of: id) { return stream }
        }
        return nil
    }

    mutating func readingPaused(for time: TimeAmount) { incomplete.postpone(by: time) }

    // MARK: Requests that wait for answers

    var areHeldBack: Bool { !heldBack.isEmpty }

    /// Leaves further requests of a stream in its body, and opens its window no more.
    mutating func holdBack(_ stream: HTTP2Stream) {
        guard !stream.isHeldBack else { return }
        stream.isHeldBack = true
        heldBack.append(stream.id)
    }

    /// Removes the streams whose further requests stay in their bodies. Those that are answered need them no more.
    mutating func takeHeldBack() -> [HTTP2Stream] {
        defer { heldBack = [] }
        return heldBack.compactMap { id in
            guard let stream = table.value(of: id), !stream.isAnswered else { return nil }
            stream.isHeldBack = false
            return stream
        }
    }

    // MARK: Answers before the end of a request

    /// Keeps an answer until the request has ended, or has taken too long.
    mutating func answerAtEnd(of stream: HTTP2Stream, _ answer: CallAnswer.End, now: NIODeadline) {
        stream.request = .answerPending(answer)
        pendingAnswers.began(stream.id, now: now)
    }

    /// Returns, once, a stream whose answer has waited for long enough; or any one whose answer waits, if `now` is nil.
    mutating func takePendingAnswer(expiredAt now: NIODeadline?) -> HTTP2Stream? {
        while let id = pendingAnswers.takeFirst(expiredAt: now) {
            if let stream = table.value(of: id) { return stream }
        }
        return nil
    }

    /// Notes that the whole answer of a stream was written.
    mutating func answered(_ stream: HTTP2Stream) {
        stream.isAnswered = true
        if !stream.isInputClosed { answeredEarly.append(stream.id) }
    }

    /// Returns, once, each stream that was answered before the end of its request. One whose answer is still sent is returned
    /// later.
    mutating func takeAnsweredEarly(unless isSending: (StreamID) -> Bool) -> [HTTP2Stream] {
        guard !answeredEarly.isEmpty else { return [] }
        var taken: [HTTP2Stream] = []
        answeredEarly.removeAll { [table] id in
            // The end of some has arrived meanwhile.
            guard let stream = table.value(of: id), !stream.isInputClosed else { return true }
            guard !isSending(id) else { return false }
            taken.append(stream)
            return true
        }
        return taken
    }

    // MARK: Windows of requests

    /// The bytes of incomplete requests that are in memory.
    var heldByteCount: Int { windows.heldByteCount }

    /// Notes the bytes that a stream's incomplete request has in memory.
    mutating func hold(_ byteCount: Int, of stream: HTTP2Stream) {
        guard byteCount != stream.heldByteCount else { return }
        windows.held(byteCount - stream.heldByteCount)
        stream.heldByteCount = byteCount
    }

    /// Returns the bytes by which to open the window of a stream, which has a size now; or 0.
    mutating func windowIncrement(of stream: HTTP2Stream, size: Int) -> Int {
        guard !stream.isHeldBack, let missing = stream.missingByteCount else { return 0 }
        let byteCount = RequestWindows.streamIncrement(size: size, missing: missing)
        guard byteCount > 0 else { return 0 }
        // A conversation keeps no more than one message and what has arrived behind it, hardly more than the first window.
        if let rest = stream.maximumRestByteCount, !windows.admits(stream.id, rest - size) { return 0 }
        return byteCount
    }

    /// Returns a stream whose request has waited for a window, and may continue.
    mutating func nextAdmitted(now: NIODeadline) -> HTTP2Stream? {
        while let id = windows.nextAdmitted() {
            guard let stream = table.value(of: id) else {
                windows.ended(id)
                continue
            }
            // It could send nothing while it waited.
            incomplete.restarted(id, now: now)
            return stream
        }
        return nil
    }

    // MARK: Messages that wait for the peer

    var areWaiting: Bool { waitingCount > 0 }

    mutating func wait(_ stream: HTTP2Stream) {
        guard !stream.isWaiting else { return }
        stream.isWaiting = true
        waitingCount += 1
    }

    mutating func stopWaiting(_ stream: HTTP2Stream) {
        guard stream.isWaiting else { return }
        stream.isWaiting = false
        waitingCount -= 1
    }
}

/// One stream of an HTTP/2 connection: a call's request as far as it has arrived, and the progress of its answer.
final class HTTP2Stream: HTTPCall {
    fileprivate enum Request {
        /// The call is known, and nothing of its body has arrived.
        case begun
        /// A part of the body has arrived. If the call has begun, it takes further requests.
        case open(CallBody)
        /// The body has arrived, all of it at once, and has this message.
        case complete(ByteBuffer)
        /// The answer is known, and waits for the end of the request. The rest of the request is discarded.
        case answerPending(CallAnswer.End)
        /// The call has begun, or the request is answered. The rest of the request is discarded.
        case taken
    }

    /// The meaning of the end of a request.
    enum RequestEnd {
        /// A call begins, with this message.
        case message(ByteBuffer)
        /// A call that takes further requests has none at all.
        case noMessage(RequestedCall)
        /// A call that has begun gets no further requests.
        case noFurtherMessage
        /// The request is answered.
        case nothing
    }

    let id: StreamID
    var requested: RequestedCall?
    var answer: CallAnswer?
    var hasSentHead = false
    fileprivate(set) var isAnswered = false
    /// Whether only the headers of the answer are wanted.
    private(set) var isHead = false
    /// Whether the peer sends nothing more on the stream.
    private(set) var isInputClosed: Bool
    /// Whether further requests stay in the body until the call has answered.
    fileprivate(set) var isHeldBack = false
    /// Whether the call's next message waits until the peer takes it.
    fileprivate(set) var isWaiting = false
    fileprivate var request: Request = .taken
    /// The bytes of the body that are still to come, if the request names its size.
    private var awaitedByteCount: Int?
    /// The bytes of the request that are counted while it is not complete.
    fileprivate var heldByteCount = 0

    fileprivate init(_ id: StreamID, isInputClosed: Bool) {
        self.id = id
        self.isInputClosed = isInputClosed
    }

    // MARK: The request

    /// Notes what the head of the request says about its body and its answer.
    ///
    /// - Returns: Whether the body may still come, or has the bytes that the head names.
    func requestBegan(contentLength: Int?, isHead: Bool) -> Bool {
        self.isHead = isHead
        awaitedByteCount = contentLength
        return !isInputClosed || isBodyComplete
    }

    /// Lets the body of a call arrive.
    func bodyBegan() { request = .begun }

    /// Notes that the peer sends nothing more.
    ///
    /// - Returns: Whether the body has the bytes that the request names.
    @discardableResult
    func inputClosed() -> Bool {
        isInputClosed = true
        return isBodyComplete
    }

    private var isBodyComplete: Bool { awaitedByteCount ?? 0 == 0 }

    /// The answer that waits for the end of the request.
    var pendingAnswer: CallAnswer.End? {
        if case .answerPending(let answer) = request { answer } else { nil }
    }

    /// Notes bytes of the body.
    ///
    /// - Returns: Whether it has no more of them than the request says.
    func bodyReceived(_ byteCount: Int) -> Bool {
        guard let awaited = awaitedByteCount else { return true }
        awaitedByteCount = awaited - byteCount
        return byteCount <= awaited
    }

    /// Takes bytes of the body. `nextMessage` then returns the messages of a call that takes further requests.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - endStream: Whether they are the last ones.
    /// - Throws: The fault of the body, of which nothing more is wanted.
    func take(_ bytes: ByteBuffer, endStream: Bool) throws(RPCError) {
        switch request {
        case .begun:
            guard let requested else { return }
            // The hot path: a body keeps nothing of what arrives at once.
            if endStream, !takesFurtherRequests, let message = requested.body.onlyMessage(of: bytes) {
                return request = .complete(message)
            }
            request = .open(requested.body)
        case .open: break
        case .complete, .answerPending, .taken: return
        }
        try append(bytes)
    }

    private func append(_ bytes: ByteBuffer) throws(RPCError) {
        guard case .open(var body) = request else { return }
        // The body's buffer is not shared while it is changed.
        request = .taken
        if takesFurtherRequests { body.appendToEnvelopes(bytes) } else { try body.append(bytes) }
        request = .open(body)
    }

    /// Whether each message is a request of its own. A call that began before the end of its request takes them.
    private var takesFurtherRequests: Bool { requested?.method.takesFurtherRequests ?? true }

    /// Whether the body has messages, or a part of one, of a call that takes further requests.
    var hasMessages: Bool {
        guard takesFurtherRequests, case .open(let body) = request else { return false }
        return body.hasRest
    }

    /// Removes the next message of a call that takes further requests; nil if none has arrived.
    func nextMessage() throws(RPCError) -> ByteBuffer? {
        guard takesFurtherRequests, case .open(var body) = request else { return nil }
        request = .taken
        let message = try body.nextMessage()
        request = .open(body)
        return message
    }

    /// Returns the meaning of the request, which has arrived.
    func end() throws(RPCError) -> RequestEnd {
        switch request {
        case .begun: try requested.map { call throws(RPCError) in try end(call.body) } ?? .nothing
        case .open(let body): try end(body)
        case .complete(let message): .message(message)
        case .answerPending, .taken: .nothing
        }
    }

    private func end(_ body: CallBody) throws(RPCError) -> RequestEnd {
        guard takesFurtherRequests else { return .message(try body.end()) }
        try body.checkEnd()
        return requested.map(RequestEnd.noMessage) ?? .noFurtherMessage
    }

    // MARK: Sizes

    /// The bytes of the request that are in memory.
    var bodyByteCount: Int {
        switch request {
        // The message of a GET is in its head.
        case .begun: requested.map { $0.body.byteCount + $0.head.metadata.byteCount } ?? 0
        case .open(let body): body.byteCount + (requested?.head.metadata.byteCount ?? 0)
        case .complete, .answerPending, .taken: 0
        }
    }

    /// The bytes that a message lacks of which a part has arrived, or 0 if that is not known; nil if no more is wanted.
    fileprivate var missingByteCount: Int? {
        switch request {
        case .begun: 0
        case .open(let body): body.missingByteCount
        case .complete, .answerPending, .taken: nil
        }
    }

    /// The maximum of bytes that a request with one message may still have; nil if it is no such request.
    fileprivate var maximumRestByteCount: Int? {
        guard let requested, !takesFurtherRequests else { return nil }
        let rest: Int
        switch request {
        case .begun: rest = requested.body.maximumRestByteCount
        case .open(let body): rest = body.maximumRestByteCount
        case .complete, .answerPending, .taken: return nil
        }
        return min(rest, awaitedByteCount ?? rest)
    }
}

/// A connection's incomplete requests, with their deadlines.
///
/// There are no more of them than open streams, and most leave in the order in which they came.
private struct IncompleteRequests {
    private let timeout: TimeAmount
    private var requests: [(id: StreamID, deadline: NIODeadline)] = []

    /// - Parameter timeout: The time until a request must be complete.
    init(timeout: Duration) { self.timeout = TimeAmount(timeout) }

    var isEmpty: Bool { requests.isEmpty }

    var nextCheck: NIODeadline? { requests.first?.deadline }

    mutating func began(_ id: StreamID, now: NIODeadline) { requests.append((id, now + timeout)) }

    /// The request is complete, or no longer wanted. A second call has no effect.
    mutating func ended(_ id: StreamID) {
        if let index = requests.firstIndex(where: { $0.id == id }) { requests.remove(at: index) }
    }

    mutating func restarted(_ id: StreamID, now: NIODeadline) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        requests.remove(at: index)
        began(id, now: now)
    }

    mutating func postpone(by time: TimeAmount) {
        for index in requests.indices { requests[index].deadline = requests[index].deadline + time }
    }

    /// Removes the first request whose deadline has passed; or the first one, if `now` is nil.
    mutating func takeFirst(expiredAt now: NIODeadline?) -> StreamID? {
        guard let first = requests.first, now.map({ first.deadline <= $0 }) ?? true else { return nil }
        return requests.removeFirst().id
    }
}

/// The windows of a server's connection: the bytes of requests that its peer may still send (RFC 9113, section 5.2).
///
/// The window of the connection is always opened again, so that no request stops another. The windows of the streams
/// limit the memory. Each stream may fill its first window. Requests that need more are admitted in the order of
/// arrival, up to a limit for the connection. One request is always admitted, however large it is. So the largest
/// request is received whole, and the requests behind it wait for its end.
///
/// Received bytes are counted with the frames, padding and discarded ones too; this value decides when a window is
/// opened again.
struct RequestWindows {
    /// The initial window of a stream, and of the connection (RFC 9113, section 6.9.2).
    static let defaultSize = 65_535

    private struct Need {
        let id: StreamID
        let byteCount: Int
    }

    /// The maximum bytes of all requests beyond their first windows, unless a single request needs more.
    private let maximumAdmittedByteCount: Int
    private var admitted: [Need] = []
    /// Oldest first.
    private var waiting: [Need] = []
    private(set) var heldByteCount = 0

    init(maximumAdmittedByteCount: Int) { self.maximumAdmittedByteCount = maximumAdmittedByteCount }

    mutating func held(_ difference: Int) { heldByteCount += difference }

    /// The bytes to open the connection's window by, when half of it is used; otherwise 0.
    static func connectionIncrement(size: Int) -> Int { size <= defaultSize / 2 ? defaultSize - size : 0 }

    // MARK: Streams

    /// Whether a request may have more than its first window. If not, it waits, and `nextAdmitted` returns it later.
    /// `byteCount` is the maximum that it may still need, beyond its window.
    mutating func admits(_ id: StreamID, _ byteCount: Int) -> Bool {
        if admitted.contains(where: { $0.id == id }) { return true }
        if !waiting.contains(where: { $0.id == id }) { waiting.append(Need(id: id, byteCount: byteCount)) }
        guard waiting.first?.id == id, hasRoom(for: waiting[0]) else { return false }
        admitted.append(waiting.removeFirst())
        return true
    }

    /// The request is complete, or no longer wanted.
    mutating func ended(_ id: StreamID) {
        admitted.removeAll { $0.id == id }
        waiting.removeAll { $0.id == id }
    }

    /// Admits the next waiting request; nil without one, or without room for it.
    mutating func nextAdmitted() -> StreamID? {
        guard let next = waiting.first, hasRoom(for: next) else { return nil }
        admitted.append(waiting.removeFirst())
        return next.id
    }

    private func hasRoom(for need: Need) -> Bool {
        admitted.isEmpty || admitted.reduce(need.byteCount) { $0 + $1.byteCount } <= maximumAdmittedByteCount
    }

    /// Decides whether the peer may send more on a stream, after bytes of an incomplete request.
    ///
    /// - Parameters:
    ///   - size: The bytes that the peer may still send, without those that have arrived.
    ///   - missing: The missing bytes of a partly received message. They are all let in, since a message may be longer
    ///     than a window. 0 if its length is not known.
    /// - Returns: The bytes to open the window by, or 0.
    static func streamIncrement(size: Int, missing: Int) -> Int {
        if missing > 0 { return max(0, missing - size) }
        return connectionIncrement(size: size)
    }
}
