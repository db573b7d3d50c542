internal import HTTPFraming
internal import Logging
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// One HTTP/2 connection that carries gRPC calls: it reads frames, begins calls, and writes their answers as frames.
///
/// `HTTP2ServerStateMachine` decides the meaning and order of frames. It holds written frames until the end of the turn, and
/// DATA until the peer's windows have room. So a stream is asked for its next message only while the windows have room for one.
/// `HTTP2Streams` has the requests that are not complete, and everything else that waits.
final class HTTP2Connection: WireConnection {
    typealias Input = ByteBuffer
    typealias Output = ByteBuffer

    let life: ConnectionLifecycle
    let calls: ConnectionCalls
    let rules: HTTPRules
    private let isLoopback: Bool
    private var frames: HTTP2ServerStateMachine
    private var streams: HTTP2Streams
    /// The next check for streams of whose DATA the peer takes no byte; nil while no DATA waits.
    private var stallCheck: NIODeadline?
    private var pings = PingStrikes()
    private var behavior: PeerBehavior
    /// The latest time for the peer's answer to the announcement of a drain; nil if none is awaited.
    private var announcementEnd: NIODeadline?
    private var drainReason: String?
    /// Whether the final GOAWAY has named the last stream.
    private var isLastStreamNamed = false
    private var lastStream: StreamID = 0
    /// The time by which the peer has to have sent its settings, and then the time by which the frame that has begun to arrive
    /// has to be complete; nil if nothing is awaited.
    private(set) var inputDeadline: NIODeadline?

    private var counters: EventCounters { life.counters }
    private var limits: PeerLimits { life.server.configuration.limits }

    init(_ life: ConnectionLifecycle, _ rules: HTTPRules) {
        let server = life.server
        let limits = server.configuration.limits
        self.life = life
        self.rules = rules
        isLoopback = life.context.channel.isLoopback
        frames = HTTP2ServerStateMachine(
            maximumStreams: limits.maximumStreams,
            maximumHeaderListByteCount: HTTPLimits.headerListByteCount
        )
        calls = ConnectionCalls(of: server, on: life.context.channel)
        streams = HTTP2Streams(server.configuration)
        behavior = PeerBehavior(limits)
        life.limitAge()
        if !life.isUnix { inputDeadline = life.now + TimeAmount(limits.frameTimeout) }
    }

    // MARK: Frames

    func received(_ bytes: ByteBuffer) {
        guard !isClosing else { return life.discard(bytes.readableBytes) }
        life.bytesReceived()
        frames.receive(bytes)
        var hasFrames = false
        while !isClosing, let event = frames.nextEvent() {
            hasFrames = true
            received(event)
        }
        frames.settleInput()
        noteIncompleteFrame(isNew: hasFrames)
    }

    private func received(_ event: HTTP2Event) {
        switch event {
        case .request(let id, let headers, let endStream):
            behavior.callStarted()
            begin(id, headers, endStream: endStream)
        case .trailers(let id, let headers):
            behavior.callStarted()
            receivedTrailers(headers, on: id)
        case .data(let id, let bytes, let endStream): received(bytes, on: id, endStream: endStream)
        case .discarded(let byteCount):
            // Those without bytes cost the peer nothing of its window.
            if byteCount == 0 { countControlFrame() } else { openConnectionWindow() }
        case .reset(let id):
            countControlFrame()
            resetByPeer(id)
        case .streamFault(let id):
            abandon(id)
            countFault()
        case .streamRefused:
            counters.count(.streamLimit)
            calls.callers.countUnread(now: now)
            countFault()
        case .settings:
            inputDeadline = nil
            countControlFrame()
        case .control: countControlFrame()
        case .unknown:
            counters.count(.frameIgnored)
            if let error = behavior.controlFrameReceived(now: now) { end(because: error) }
        case .ping: pinged()
        case .pingAnswer(let data):
            countControlFrame()
            if data == Self.drainPing { announcementEnded() }
        case .connectionFault(let fault): end(because: fault)
        }
    }

    /// Sets the time for a frame that has begun to arrive.
    ///
    /// - Parameter isNew: Whether it began behind another one that ended with the same read.
    private func noteIncompleteFrame(isNew: Bool) {
        // The deadline of the settings stays until they are complete.
        guard !isClosing, isNew || life.isUnix || !frames.areSettingsAwaited else { return }
        guard frames.isInsideFrame else { return inputDeadline = nil }
        guard isNew || inputDeadline == nil else { return }
        inputDeadline = now + TimeAmount(limits.frameTimeout)
    }

    func readCompleted() { turnEnded() }

    // MARK: Frames that cost the server and not the peer

    /// The frames that a DATA frame allows: updates of both windows, and an answered ping.
    private static let framesPerData = 3
    /// The bytes of DATA for which a further frame is allowed: some clients give back windows in small steps.
    private static let bytesPerFrame = 1024

    /// Allows the control frames with which a peer answers DATA.
    private func allowControlFrames(for written: WrittenFrames) {
        let count = Self.framesPerData * written.dataCount + written.dataByteCount / Self.bytesPerFrame
        if count > 0 { behavior.messageSent(allowing: count) }
    }

    private func countControlFrame() {
        if let error = behavior.allowedFrameReceived(now: now) { end(because: error) }
    }

    private func pinged() {
        guard pings.pinged(hasCalls: calls.runner.runningCount > 0, now: now) else { return }
        end(because: .tooManyControlFrames(PingStrikes.maximum), reason: "too_many_pings")
    }

    private func resetByPeer(_ id: StreamID) {
        let progress = calls.runner.progress(of: id, now: now)
        guard !isClosing, abandon(id) else { return }
        counters.count(.cancelReceived)
        guard progress != .open(isNew: false) else { return }
        if let error = behavior.earlyCancelReceived(now: now) { end(because: error) }
    }

    private func countFault() {
        counters.count(.streamError)
        if let error = behavior.faulted(isGlitch: true, now: now) { end(because: error) }
    }

    func countMalformedRequest() {
        counters.count(.malformedRequest)
        if let error = behavior.faulted(now: now) { end(because: error) }
    }

    // MARK: The heads of requests

    private func begin(_ id: StreamID, _ headers: HeaderList, endStream: Bool) {
        let stream = streams.begin(id, isInputClosed: endStream)
        lastStream = id
        guard begin(headers, on: stream) else { return }
        if endStream { inputEnded(of: stream) } else { streams.awaitRequest(of: stream, now: now) }
    }

    /// Begins the request that headers describe, or answers it.
    ///
    /// - Returns: Whether the stream is still there.
    private func begin(_ headers: HeaderList, on stream: HTTP2Stream) -> Bool {
        let areTooLarge = headers.areTooLarge
        let meaning = rules.read(
            headers.headers,
            isLoopback: isLoopback,
            isHTTP2: true,
            areTooLarge: areTooLarge,
            isReadable: life.server.methods.isReadable(httpPath:)
        )
        switch meaning {
        case .call(let head):
            guard stream.requestBegan(contentLength: head.contentLength, isHead: head.isHead) else {
                return refuseMalformed(stream)
            }
            do throws(RPCError) {
                _ = try request(head, of: stream, arrivedAt: now)
                guard calls.runner.runningCount < limits.maximumStreams else {
                    refuseUnprocessed(stream, .streamLimit)
                    return false
                }
                stream.bodyBegan()
                let isInMemory = head.format != .grpc || !head.metadata.isEmpty
                if isInMemory, !stream.isInputClosed { streams.hold(stream.bodyByteCount, of: stream) }
            } catch {
                answerRefused(stream, error)
            }
        case .answered(let plain, let request):
            guard stream.requestBegan(contentLength: request.contentLength, isHead: request.isHead) else {
                return refuseMalformed(stream)
            }
            let answer = plain.isRefusal ? refusal(plain, to: request) : plain
            answerAtEnd(of: stream, .whole(answer.headers, answer.body))
            if areTooLarge { countMalformedRequest() }
            if plain.isRefusal { calls.endIfRefused(nil, on: self) }
        case .malformed:
            return refuseMalformed(stream)
        }
        return true
    }

    /// Resets the stream of a malformed request.
    ///
    /// - Returns: Always false: the stream is gone.
    private func refuseMalformed(_ stream: HTTP2Stream) -> Bool {
        calls.callers.countUnread(now: now)
        resetMalformed(stream)
        return false
    }

    /// Resets a stream on which nothing has run, so that its client may send the call again at once (RFC 9113, section 8.7).
    ///
    /// A client that cancels calls may begin others before the work of the first has stopped. It keeps within the streams
    /// that it may open, and cannot know of that work.
    private func refuseUnprocessed(_ stream: HTTP2Stream, _ event: ServerEvent) {
        counters.count(event)
        reset(stream, .refusedStream)
    }

    /// Resets a stream whose request is malformed, and stops its call. An answer that waits for the end of the request is not
    /// sent.
    private func resetMalformed(_ stream: HTTP2Stream) {
        requestEnded(of: stream)
        guard !stream.isAnswered else { return }
        calls.runner.cancel(stream.id)
        calls.performActions(on: self)
        reset(stream, .protocolError)
        countFault()
    }

    // MARK: The bodies of requests

    private func received(_ bytes: ByteBuffer, on id: StreamID, endStream: Bool) {
        if let stream = streams[id] {
            if stream.bodyReceived(bytes.readableBytes) {
                take(bytes, endStream: endStream, on: stream)
            } else {
                resetMalformed(stream)
            }
            if endStream { inputEnded(of: stream) } else { openWindow(of: stream) }
        }
        openConnectionWindow()
    }

    private func take(_ bytes: ByteBuffer, endStream: Bool, on stream: HTTP2Stream) {
        do throws(RPCError) {
            try stream.take(bytes, endStream: endStream)
            try takeMessages(of: stream)
            // The call that begins at the end holds its message itself.
            if !endStream || stream.isHeldBack { streams.hold(stream.bodyByteCount, of: stream) }
        } catch {
            refuse(stream, error)
        }
    }

    /// Takes the requests of a conversation. One that has to wait for the answer to another stays in the body, compressed as it
    /// came.
    private func takeMessages(of stream: HTTP2Stream) throws(RPCError) {
        while stream.hasMessages {
            guard stream.requested != nil || calls.runner.takesRequest(on: stream.id) else {
                return streams.holdBack(stream)
            }
            guard let message = try stream.nextMessage() else { return }
            if stream.requested == nil {
                calls.runner.requestReceived(message, on: stream.id)
            } else {
                streams.stopAwaiting(stream)
                admitRequests()
                begin(stream, message, hasMoreRequests: true)
            }
        }
    }

    /// Takes further requests of the conversations whose last one is answered.
    private func takeHeldBackRequests() {
        for stream in streams.takeHeldBack() {
            do throws(RPCError) {
                try takeMessages(of: stream)
                streams.hold(stream.bodyByteCount, of: stream)
            } catch {
                refuse(stream, error)
                continue
            }
            guard !stream.isHeldBack else { continue }
            if stream.isInputClosed { inputEnded(of: stream) } else { openWindow(of: stream) }
        }
    }

    /// Takes the headers behind the messages of a request, which say nothing that a call uses.
    private func receivedTrailers(_ list: HeaderList, on id: StreamID) {
        guard let stream = streams[id] else { return }
        guard HeaderCheck.areTrailers(list.headers) else { return resetMalformed(stream) }
        guard list.areTooLarge, !stream.isAnswered else { return inputEnded(of: stream) }
        stream.inputClosed()
        if !sendPendingAnswer(of: stream) { refuse(stream, .headersTooLarge) }
    }

    /// Begins the call of a stream whose request is complete; or ends the requests of one that takes further ones.
    private func inputEnded(of stream: HTTP2Stream) {
        guard stream.inputClosed() else { return resetMalformed(stream) }
        guard !stream.isHeldBack else { return }
        if sendPendingAnswer(of: stream) { return }
        do throws(RPCError) {
            let end = try stream.end()
            requestEnded(of: stream)
            switch end {
            case .message(let message): begin(stream, message)
            case .noMessage(let call): answerNothing(call, on: stream)
            case .noFurtherMessage: calls.runner.requestsEnded(on: stream.id)
            case .nothing: break
            }
        } catch {
            refuse(stream, error)
        }
    }

    /// Answers a call that takes further requests and has none: there are no answers either.
    private func answerNothing(_ call: RequestedCall, on stream: HTTP2Stream) {
        noteEnded(stream, nil)
        writeHead(on: stream)
        writeEnd(call.answer.success, on: stream)
    }

    /// Answers a request that begins no call, or the rest of whose requests are not taken.
    private func refuse(_ stream: HTTP2Stream, _ error: RPCError) {
        requestEnded(of: stream)
        guard stream.requested == nil else {
            noteEnded(stream, error)
            return answerRefused(stream, error)
        }
        calls.runner.fail(stream.id, error)
        calls.performActions(on: self)
        if error.isFaultOfPeer { countMalformedRequest() }
    }

    /// Notes that nothing more of a request is wanted, which lets others continue.
    private func requestEnded(of stream: HTTP2Stream) {
        streams.requestEnded(of: stream)
        admitRequests()
    }

    private func refuseLateRequests() {
        while let stream = streams.takeIncomplete(expiredAt: now) {
            counters.count(.frameTimeout)
            let error = RPCError.requestIncomplete(after: limits.frameTimeout)
            requestEnded(of: stream)
            noteEnded(stream, error)
            writeStatus(error, on: stream)
        }
    }

    // MARK: Windows of requests

    private func openConnectionWindow() {
        let byteCount = RequestWindows.connectionIncrement(size: frames.inboundWindow)
        if byteCount > 0 { frames.openConnectionWindow(by: byteCount) }
    }

    private func openWindow(of stream: HTTP2Stream) {
        guard let size = frames.inboundWindow(of: stream.id) else { return }
        let byteCount = streams.windowIncrement(of: stream, size: size)
        if byteCount > 0 { frames.openWindow(by: byteCount, on: stream.id) }
    }

    private func admitRequests() {
        while let stream = streams.nextAdmitted(now: now) { openWindow(of: stream) }
    }

    private static let uncountedBytes = 1024

    /// The bytes of requests that are in memory. A frame that is not complete counts if it is no small one.
    var inboundByteCount: Int {
        let frame = frames.inputByteCount
        return streams.heldByteCount + calls.requestByteCount + (frame < Self.uncountedBytes ? 0 : frame)
    }

    // MARK: Time

    var nextCheck: NIODeadline? {
        var first = FirstDeadline()
        first.consider(streams.nextCheck)
        first.consider(announcementEnd)
        first.consider(stallCheck)
        return first.time
    }

    func timePassed() {
        if let end = announcementEnd, end <= now { announcementEnded() }
        refuseLateRequests()
        sendPendingAnswers()
        checkStalledStreams()
    }

    /// Ends the streams of whose DATA the peer takes no byte between two checks. A call that is answered, or that has nothing
    /// more to send for now, has no other limit.
    private func checkStalledStreams() {
        guard let check = stallCheck, check <= now else { return }
        stallCheck = nil
        for id in frames.stalledStreams() {
            guard let stream = streams[id] else { continue }
            counters.count(.creditTimeout)
            guard stream.isAnswered else {
                calls.runner.fail(stream.id, Refusal.creditTimeout(after: calls.runner.creditTimeout).error)
                continue
            }
            reset(stream)
        }
    }

    func readingPaused(for time: TimeAmount) {
        inputDeadline = inputDeadline.map { $0 + time }
        streams.readingPaused(for: time)
    }

    var answersPings: Bool { hasRoom }

    func sendPing() { frames.sendPing(now.uptimeNanoseconds) }

    /// One with a stream is not idle: its peer may still have to take the answer.
    var isInUse: Bool { !streams.isEmpty }

    func idleTimedOut(_ error: ConnectionError) {
        guard !calls.runner.isDraining else { return }
        life.note(error)
        drainBegins(because: "max_idle")
    }

    // MARK: Drains

    /// The data of the ping that is sent with the announcement of a drain. Its answer says that the peer has read both.
    static let drainPing: UInt64 = 0x6472_6169_6E69_6E67

    func drainBegins() { drainBegins(because: nil) }

    func maximumAgeReached() { drainBegins(because: "max_age") }

    /// The maximum wait for the answer to the announcement of a drain.
    private static let announcementTime = TimeAmount.seconds(1)

    /// Begins to drain (RFC 9113, section 6.8). The first GOAWAY forbids no stream, because the peer may have begun some
    /// before it reads that. When it has read it, the final one names the last stream.
    ///
    /// - Parameter reason: The reason that the peer is told (gRFC A9 names those of gRPC).
    private func drainBegins(because reason: String?) {
        guard !isClosing, !calls.runner.isDraining else { return }
        life.turnBegins()
        announcementEnd = now + Self.announcementTime
        drainReason = reason
        frames.sendGoAway(lastStream: .highest, .noError, reason ?? "")
        frames.sendPing(Self.drainPing)
        calls.runner.drain()
        turnEnded()
    }

    /// Tells the peer which of its calls is the last that is answered. The connection closes when all have ended.
    private func announcementEnded() {
        guard announcementEnd != nil else { return }
        announcementEnd = nil
        isLastStreamNamed = true
        sendGoAway(.noError, drainReason ?? "")
    }

    func drainEnds() {
        announcementEnded()
        while let stream = streams.takeIncomplete(expiredAt: nil) { refuseUnprocessed(stream, .draining) }
        sendPendingAnswers(all: true)
        life.closeAfterFlush(of: self)
    }

    /// Tells the peer which of its calls is the last that may have run.
    private func sendGoAway(_ code: HTTP2FaultCode, _ text: String) {
        frames.sendGoAway(lastStream: lastStream, code, text)
    }

    /// A connection that drains closes once its calls have ended and their answers are sent. A request that is not complete is
    /// awaited: the last GOAWAY has named it, so its client would not send it again.
    var isFinished: Bool {
        isLastStreamNamed && calls.runner.runningCount == 0 && !streams.hasIncompleteRequests
            && !streams.hasPendingAnswers && frames.unsentByteCount == 0
    }

    // MARK: The end

    /// Handles the end of the peer's input. An HTTP/2 peer that closes its side takes no more frames either.
    func inputClosed() { life.closeNow(self) }

    func end(because error: ConnectionError) { end(because: error, reason: nil) }

    /// Ends the connection of a peer that broke a rule, and tells it which of its calls is the last that may have run.
    private func end(because error: ConnectionError, reason: String?) {
        guard !isClosing else { return }
        life.note(error)
        end(.enhanceYourCalm, reason ?? error.reason)
    }

    private func end(because fault: ConnectionFault) {
        guard !isClosing else { return }
        counters.count(fault.event)
        life.server.logger.debug("connection closed", metadata: ["error": "\(fault)"])
        end(fault.code, fault.message)
    }

    private func end(_ code: HTTP2FaultCode, _ text: String) {
        sendPendingAnswers(all: true)
        sendGoAway(code, text)
        life.closeAfterFlush(of: self)
    }

    /// Sends the answers that wait for the ends of their requests.
    func sendLast() {
        guard !isClosing else { return }
        sendPendingAnswers(all: true)
        flush()
    }

    func closed() { streams.removeAll() }

    // MARK: Answers before the end of a request

    // RFC 9113, section 8.1, permits an answer at once and a reset behind it, which says that the rest is not wanted. But curl
    // 7.88 takes the reset for a failure if it still has to send its body, and without the reset it may not see that the answer
    // is complete. Most clients send the body right behind the head, so the answer waits a short time for it.

    func answerAtEnd(of stream: HTTP2Stream, _ answer: CallAnswer.End) {
        if stream.isInputClosed { write(answer, on: stream) } else { streams.answerAtEnd(of: stream, answer, now: now) }
    }

    /// Sends the answers that have waited for long enough, or all of them, because the connection ends.
    private func sendPendingAnswers(all: Bool = false) {
        while let stream = streams.takePendingAnswer(expiredAt: all ? nil : now) { sendPendingAnswer(of: stream) }
    }

    /// Sends the answer of a stream now, if it waits for the end of the request.
    ///
    /// - Returns: Whether it has waited.
    @discardableResult
    private func sendPendingAnswer(of stream: HTTP2Stream) -> Bool {
        guard let answer = stream.pendingAnswer else { return false }
        requestEnded(of: stream)
        write(answer, on: stream)
        return true
    }

    private func write(_ answer: CallAnswer.End, on stream: HTTP2Stream) {
        if case .whole(_, let body) = answer, !stream.isHead, refusesAnswer(byteCount: body.readableBytes, on: stream) {
            // The caller of a call was counted when it began.
            return calls.callers.countUnread(now: now)
        }
        writeEnd(answer, on: stream)
    }

    /// The maximum bytes of an answer that is sent whatever the peer takes, as those of refusals are.
    private static let smallAnswer = 1_024

    /// The maximum bytes that wait for the peer when a further answer is made: more than all files and pictures of a page.
    private static let maximumWaitingBytes = 4 << 20

    /// Requests of some bytes may ask for large answers again and again: the peer has to take the first ones.
    func refusesAnswer(byteCount: Int, on stream: HTTP2Stream) -> Bool {
        guard byteCount > Self.smallAnswer,
            waitingByteCount + frames.unflushedByteCount + bufferedByteCount >= Self.maximumWaitingBytes
        else { return false }
        reset(stream, .refusedStream)
        return true
    }

    /// The bytes that the channel has and the socket does not take.
    private var bufferedByteCount: Int {
        hasRoom ? 0 : (try? life.context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Tells the peer that nothing more is wanted of the requests that were answered before their end. Answers that are not
    /// sent to their end come first.
    private func resetAnsweredEarly() {
        for stream in streams.takeAnsweredEarly(unless: { frames.isSending($0) }) { reset(stream, .noError) }
    }

    // MARK: Turns

    func writabilityChanged() { if hasRoom { calls.scheduleTurn(of: self) } }

    func makeAnswers() {
        resumeStreams()
        calls.sendMessages(on: self)
        while streams.areHeldBack {
            takeHeldBackRequests()
            guard calls.runner.hasReadyCalls, !isClosing, takesMessage() else { break }
            calls.sendMessages(on: self)
        }
        resetAnsweredEarly()
    }

    /// Lets the streams that wait for the peer send their next messages, if the peer takes them.
    private func resumeStreams() {
        guard streams.areWaiting else { return }
        for stream in streams.all where stream.isWaiting && frames.hasRoom(on: stream.id) {
            streams.stopWaiting(stream)
            calls.runner.grant(1, to: stream.id)
        }
    }

    /// The windows of the peer do not count here. A stream that waits for one has no credit, so each keeps one message at most;
    /// and a call that has no message to send yet must not wait for the windows of others. Answers that are made and wait for
    /// room are taken before they are too many: most are refused then.
    func takesMessage() -> Bool {
        hasRoom && frames.unflushedByteCount < limits.maximumUnsentBytes
            || calls.runner.finishedByteCount >= Self.maximumWaitingBytes
    }

    var hasRoom: Bool { life.context.channel.isWritable }

    var hasWaitingRequests: Bool { streams.hasIncompleteRequests }

    /// The bytes behind the peer's windows.
    var waitingByteCount: Int { frames.unsentByteCount }

    func flush() {
        calls.countEnded(on: self)
        frames.sendGathered()
        while let id = frames.nextClosed() { if let stream = streams[id] { forget(stream) } }
        resumeStreams()
        if frames.unsentByteCount > 0, stallCheck == nil { stallCheck = now + TimeAmount(limits.creditTimeout) }
        guard frames.hasOutput else { return }
        let written = frames.takeWritten()
        if !written.isEmpty {
            pings.sent()
            allowControlFrames(for: written)
        }
        let bytes = frames.takeOutput()
        let byteCount = bytes.readableBytes
        life.context.write(NIOAny(bytes), promise: nil)
        life.flush(byteCount)
    }

    // MARK: The end of streams

    private func forget(_ stream: HTTP2Stream) { if streams.forget(stream) { admitRequests() } }

    /// Resets a stream whose answer nobody takes, or gets.
    private func reset(_ stream: HTTP2Stream, _ code: HTTP2FaultCode = .cancel) {
        frames.reset(stream.id, code)
        forget(stream)
    }

    /// Forgets a stream that was reset, and stops its call.
    ///
    /// - Returns: Whether there was one that was not answered.
    @discardableResult
    private func abandon(_ id: StreamID) -> Bool {
        guard let stream = streams[id] else { return false }
        let wasAnswered = stream.isAnswered
        forget(stream)
        guard !wasAnswered else { return false }
        calls.runner.cancel(id)
        calls.performActions(on: self)
        return true
    }
}

extension HTTP2Connection: HTTPConnection {
    func writable(_ id: StreamID) -> HTTP2Stream? {
        guard !isClosing, let stream = streams[id], !stream.isAnswered else { return nil }
        return stream
    }

    func hasRoom(for stream: HTTP2Stream) -> Bool { frames.hasRoom(on: stream.id) }

    func wait(_ stream: HTTP2Stream) { streams.wait(stream) }

    func writeHead(on stream: HTTP2Stream) {
        guard !stream.hasSentHead, let answer = stream.answer else { return }
        stream.hasSentHead = true
        frames.sendHeaders(answer.head, endStream: false, on: stream.id)
    }

    func writeMessage(_ message: any OutgoingMessage, isLast: Bool, on stream: HTTP2Stream) throws(RPCError) {
        guard let answer = stream.answer else { return }
        guard answer.isPlain else {
            let bytes = try answer.envelope(of: message)
            return sendMessage(isLast: isLast, on: stream) { $0.writeImmutableBuffer(bytes) }
        }
        sendMessage(isLast: isLast, on: stream) { CallAnswer.appendEnvelope(of: message, to: &$0) }
    }

    /// Sends a message behind the headers. Those of a stream that continues share the DATA frames of a turn.
    private func sendMessage(isLast: Bool, on stream: HTTP2Stream, _ write: (inout ByteBuffer) -> Void) {
        writeHead(on: stream)
        if isLast {
            frames.sendData(endStream: false, on: stream.id, write)
        } else {
            frames.gatherData(on: stream.id, write)
        }
    }

    func writeEnd(_ end: CallAnswer.End, on stream: HTTP2Stream) {
        switch end {
        case .headers(let headers): writeHeaders(headers, on: stream, endStream: true)
        case .body(let bytes): writeLast(bytes, on: stream)
        case .whole(let headers, let body): writeWhole(headers, body, on: stream)
        }
    }

    func writeWhole(_ headers: HPACKHeaders, _ body: ByteBuffer, on stream: HTTP2Stream) {
        let endStream = body.readableBytes == 0 || stream.isHead
        writeHeaders(headers, on: stream, endStream: endStream)
        if !endStream { writeLast(body, on: stream) }
    }

    private func writeLast(_ bytes: ByteBuffer, on stream: HTTP2Stream) {
        frames.sendData(endStream: true, on: stream.id) { $0.writeImmutableBuffer(bytes) }
        streams.answered(stream)
    }

    private func writeHeaders(_ headers: HPACKHeaders, on stream: HTTP2Stream, endStream: Bool) {
        frames.sendHeaders(headers, endStream: endStream, on: stream.id)
        if endStream { streams.answered(stream) }
    }

    func writeStatus(_ error: RPCError, on stream: HTTP2Stream) {
        guard error.mayWaitForPeer || !frames.isStuck(stream.id) else { return reset(stream) }
        guard let answer = stream.answer else { return }
        writeEnd(answer.failure(error, hasSentHead: stream.hasSentHead), on: stream)
    }
}

extension RPCError {
    /// Whether a status may wait behind the rest of a message, for a peer that reads. The ends of a deadline and of the wait for
    /// credit may not: that peer has not read for as long, or does not wait any more.
    fileprivate var mayWaitForPeer: Bool { reason != .deadlineExceeded && reason != .creditTimeout }
}
