internal import HTTPFraming
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// A request over HTTP, and its answer.
protocol HTTPCall: AnyObject {
    var id: StreamID { get }
    /// The call, from the head of its request until it begins or is refused.
    var requested: RequestedCall? { get set }
    /// The form of the answer; nil if the request is no call.
    var answer: CallAnswer? { get set }
    /// Whether the headers of the answer were written.
    var hasSentHead: Bool { get }
}

/// A call as the head of its request describes it. Its caller may call the method.
///
/// It is an object, because a value of so many parts would be copied with each call.
final class RequestedCall {
    let head: CallHead
    let caller: RequestCaller
    let method: RPCMethod
    let answer: CallAnswer
    /// The body before any of its bytes.
    let body: CallBody
    /// The arrival of the head, from which the caller's timeout counts.
    let arrivedAt: NIODeadline

    fileprivate init(
        _ head: CallHead,
        by caller: RequestCaller,
        to method: RPCMethod,
        _ answer: CallAnswer,
        arrivedAt: NIODeadline
    ) throws(RPCError) {
        self.head = head
        self.arrivedAt = arrivedAt
        self.caller = caller
        self.method = method
        var answer = answer
        try answer.methodFound(method)
        self.answer = answer
        body = try CallBody(head, of: method)
    }
}

/// A connection over HTTP: it writes the answers of calls in the form that `CallAnswer` gives them.
protocol HTTPConnection: WireConnection {
    associatedtype Call: HTTPCall

    var rules: HTTPRules { get }
    /// Counts a request that its client should not have sent.
    func countMalformedRequest()
    /// Writes an answer that begins no call once the rest of its request has arrived, or has taken too long.
    func answerAtEnd(of call: Call, _ answer: CallAnswer.End)
    /// Returns a call whose answer is not complete; nil also if its peer has ended it.
    func writable(_ id: StreamID) -> Call?
    /// Writes the headers before the first message of a stream, if they were not written before.
    func writeHead(on call: Call)
    /// Writes a message of a stream, behind the headers.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - isLast: Whether the end of the answer follows at once.
    ///   - call: The stream.
    /// - Throws: INTERNAL if the message has no JSON. Nothing is written then.
    func writeMessage(_ message: any OutgoingMessage, isLast: Bool, on call: Call) throws(RPCError)
    /// Writes the end of an answer.
    func writeEnd(_ end: CallAnswer.End, on call: Call)
    /// Writes an answer that is complete.
    func writeWhole(_ headers: HPACKHeaders, _ body: ByteBuffer, on call: Call)
    /// Writes an error as the end of an answer.
    func writeStatus(_ error: RPCError, on call: Call)
    /// Refuses an answer for which the peer has to take others first.
    ///
    /// - Returns: Whether it did.
    func refusesAnswer(byteCount: Int, on call: Call) -> Bool
    /// Whether the peer takes the next message of a stream.
    func hasRoom(for call: Call) -> Bool
    /// Notes that the next message of a stream waits until the peer takes it.
    func wait(_ call: Call)
}

extension HTTPConnection {
    // MARK: Requests

    /// Finds out the caller of a call, then its method, and then whether the caller may call it. The rest of the request is
    /// looked at after that.
    ///
    /// - Throws: The error to answer with, which is noted.
    func request(_ head: CallHead, of call: Call, arrivedAt: NIODeadline) throws(RPCError) -> RequestedCall {
        let answer = CallAnswer(to: head, compresses: rules.compressesAnswers)
        call.answer = answer
        do throws(CallRefusal) {
            let caller = try calls.callers.authenticate(head.metadata, now: now)
            let method = try refusing(caller) { () throws(RPCError) in try life.server.methods.method(of: head) }
            try calls.callers.check(caller, mayCall: method)
            let requested = try refusing(caller) { () throws(RPCError) in
                try RequestedCall(head, by: caller, to: method, answer, arrivedAt: arrivedAt)
            }
            call.requested = requested
            call.answer = requested.answer
            return requested
        } catch {
            let method = life.server.methods.method(httpPath: head.path)
            let (system, metadata) = (head.format.system, head.metadata)
            calls.noteEnded(method, system, error.error, of: error.principal, now: now, metadata: metadata)
            throw error.error
        }
    }

    private func refusing<Value>(
        _ caller: RequestCaller,
        _ body: () throws(RPCError) -> Value
    ) throws(CallRefusal) -> Value {
        do throws(RPCError) {
            return try body()
        } catch {
            throw calls.refusal(error, of: caller)
        }
    }

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - message: Its first message.
    ///   - hasMoreRequests: Whether further ones may follow.
    func begin(_ call: Call, _ message: ByteBuffer, hasMoreRequests: Bool = false) {
        guard let requested = call.requested else { return }
        call.requested = nil
        let head = requested.head
        let request = CallRequest(
            method: requested.method,
            system: head.format.system,
            payload: message,
            metadata: head.metadata,
            timeoutNanoseconds: head.timeoutNanoseconds,
            arrivedAt: requested.arrivedAt,
            wantsStream: head.format.takesStream
        )
        let waits = request.wantsStream && requested.method.isStreaming && !hasRoom(for: call)
        if waits { wait(call) }
        let answer = calls.begin(
            call.id,
            request,
            by: requested.caller,
            credit: .messages(waits ? 0 : 1),
            hasMoreRequests: hasMoreRequests,
            on: self
        )
        if let answer { respond(call.id, answer) }
    }

    /// Notes that the rest of a request is refused, or without an error that it asked nothing.
    func noteEnded(_ call: Call, _ error: RPCError?) {
        guard let requested = call.requested else { return }
        call.requested = nil
        let (head, principal) = (requested.head, requested.caller.principal)
        calls.noteEnded(requested.method, head.format.system, error, of: principal, now: now, metadata: head.metadata)
    }

    /// Finds out the caller of a request that is refused without a call.
    ///
    /// - Returns: The answer to send: the one that is given, unless the caller may make no call.
    func refusal(_ answer: PlainAnswer, to request: PlainRequest) -> PlainAnswer {
        do throws(CallRefusal) {
            _ = try calls.callers.authenticate(request.metadata, now: now)
        } catch {
            calls.noteEnded(nil, .http, error.error, of: error.principal, now: now, metadata: request.metadata)
            return request.finished(PlainAnswer(error.error))
        }
        if let reason = answer.loggedReason {
            let error = RPCError(.permissionDenied, reason: reason, "")
            calls.noteEnded(nil, .http, error, of: nil, now: now, metadata: Metadata())
        }
        return answer
    }

    /// Answers a request that begins no call, and is noted.
    func answerRefused(_ call: Call, _ error: RPCError) {
        if let answer = call.answer { answerAtEnd(of: call, answer.failure(error, hasSentHead: false)) }
        if error.isFaultOfPeer { countMalformedRequest() }
        calls.endIfRefused(error, on: self)
    }

    // MARK: Answers

    func reject(_ id: StreamID, _ error: RPCError) {
        fail(id, error)
        if error.isFaultOfPeer { countMalformedRequest() }
    }

    func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard let call = writable(id), let answer = call.answer else { return }
        if answer.isOfRead, refusesAnswer(byteCount: message.byteCount, on: call) {
            return calls.answerReplaced(on: id, by: .answersUnread)
        }
        do throws(RPCError) {
            if answer.format.takesStream {
                try writeMessage(message, isLast: true, on: call)
                writeEnd(answer.success, on: call)
            } else {
                let (headers, body) = try answer.whole(message)
                writeWhole(headers, body, on: call)
            }
        } catch {
            calls.answerReplaced(on: id, by: error)
            writeStatus(error, on: call)
        }
    }

    func send(_ message: StreamMessage) {
        guard let call = writable(message.id), let answer = call.answer else { return }
        if message.isFirst, answer.isOfRead, refusesAnswer(byteCount: message.message.byteCount, on: call) {
            guard message.isLast else { return calls.runner.fail(message.id, .answersUnread) }
            return calls.answerReplaced(on: message.id, by: .answersUnread)
        }
        do throws(RPCError) {
            try writeMessage(message.message, isLast: message.isLast, on: call)
        } catch {
            guard message.isLast else { return calls.runner.fail(message.id, error) }
            calls.answerReplaced(on: message.id, by: error)
            return fail(message.id, error)
        }
        guard !message.isLast else { return writeEnd(answer.success, on: call) }
        if hasRoom(for: call) { calls.runner.grant(1, to: message.id) } else { wait(call) }
    }

    func endStream(_ id: StreamID) {
        guard let call = writable(id), let answer = call.answer else { return }
        writeHead(on: call)
        writeEnd(answer.success, on: call)
    }

    func fail(_ id: StreamID, _ error: RPCError) {
        if let call = writable(id) { writeStatus(error, on: call) }
    }
}

extension RPCError {
    /// For the log: the stream is reset, and its client may send the call again.
    fileprivate static let answersUnread = RPCError(.unavailable, "the caller has to read earlier answers first")

    static func requestIncomplete(after timeout: Duration) -> RPCError {
        RPCError(.deadlineExceeded, reason: .deadlineExceeded, "the request was incomplete after \(timeout)")
    }
}

extension CallFormat {
    /// The protocol that the form belongs to.
    var system: RPCSystem {
        switch self {
        case .grpc: .grpc
        case .connect, .connectStream: .connect
        case .picture: .http
        }
    }
}

extension MethodTable {
    /// Returns whether the method of a path may be called by GET; nil if there is no such method.
    func isReadable(httpPath: String) -> Bool? { method(httpPath: httpPath)?.hasNoSideEffects }

    /// Returns the method that a call names.
    ///
    /// - Throws: UNIMPLEMENTED if there is none, or the fault of the call's head.
    func method(of head: CallHead) throws(RPCError) -> RPCMethod {
        if let fault = head.fault { throw fault }
        let method = try knownMethod(httpPath: head.path)
        guard !method.takesFurtherRequests || head.format == .grpc else {
            let message = "\(method.name) has a request stream: use gRPC"
            throw RPCError(.unimplemented, reason: .grpcRequired, message, metadata: ["method": method.name])
        }
        return method
    }

    private func knownMethod(httpPath: String) throws(RPCError) -> RPCMethod {
        // The hot path: taking it apart takes longer than comparing it with that of each method.
        if let method = method(httpPath: httpPath) { return method }
        guard let path = MethodPath(httpPath: httpPath) else {
            throw RPCError(.unimplemented, reason: .methodUnknown, "the path is not /service/method")
        }
        return try method(path.method, of: path.service)
    }
}

/// The limits of headers, on both versions of HTTP.
enum HTTPLimits {
    /// The maximum bytes of the headers of one request.
    static let headerListByteCount = 16 * 1024
}

extension Channel {
    /// Whether the connection was made to an address of the loopback interface.
    var isLoopback: Bool { PeerAddress(localAddress) == .loopback }
}
