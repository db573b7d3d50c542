internal import HTTPFraming
internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// A request over HTTP, and its answer.
protocol HTTPCall: AnyObject {
    /// The form of the answer; nil if the request is no call.
    var answer: CallAnswer? { get }
    /// Whether the headers of the answer were written.
    var hasSentHead: Bool { get }
}

/// A connection over HTTP: it writes the answers of calls in the form that `CallAnswer` gives them.
protocol HTTPCallWire: CallWire {
    associatedtype Call: HTTPCall

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
    /// Whether the peer takes the next message of a stream.
    func hasRoom(for call: Call) -> Bool
    /// Notes that the next message of a stream waits until the peer takes it.
    func wait(_ call: Call)
}

extension HTTPCallWire {
    func respond(_ id: StreamID, _ message: any OutgoingMessage) {
        guard let call = writable(id), let answer = call.answer else { return callEnded(id) }
        do throws(RPCError) {
            if answer.format.takesStream {
                try writeMessage(message, isLast: true, on: call)
                writeEnd(answer.success, on: call)
            } else {
                let (headers, body) = try answer.whole(message)
                writeWhole(headers, body, on: call)
            }
        } catch {
            writeStatus(error, on: call)
        }
        callEnded(id)
    }

    func send(_ message: StreamMessage) {
        guard let call = writable(message.id), let answer = call.answer else {
            if message.isLast { callEnded(message.id) }
            return
        }
        do throws(RPCError) {
            try writeMessage(message.message, isLast: message.isLast, on: call)
        } catch {
            return message.isLast ? fail(message.id, error, isOver: true) : calls.runner.fail(message.id, error)
        }
        guard !message.isLast else {
            writeEnd(answer.success, on: call)
            return callEnded(message.id)
        }
        if hasRoom(for: call) { calls.runner.grant(1, to: message.id) } else { wait(call) }
    }

    func endStream(_ id: StreamID) {
        if let call = writable(id), let answer = call.answer {
            writeHead(on: call)
            writeEnd(answer.success, on: call)
        }
        callEnded(id)
    }

    func fail(_ id: StreamID, _ error: RPCError, isOver: Bool) {
        if let call = writable(id) { writeStatus(error, on: call) }
        if isOver { callEnded(id) }
    }
}

extension CallRequest {
    /// Makes the request of a call over HTTP.
    init(_ head: CallHead, to method: RPCMethod, _ message: ByteBuffer) {
        self.init(
            to: method,
            system: head.format.system,
            message,
            metadata: head.metadata,
            timeoutNanoseconds: head.timeoutNanoseconds,
            wantsStream: head.format.takesStream
        )
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

extension ServerContext {
    /// Returns whether a path is that of a method that may be called by GET.
    func isReadable(httpPath: String) -> Bool { knownMethod(httpPath: httpPath)?.hasNoSideEffects == true }

    /// Returns the method that a call names.
    ///
    /// - Throws: UNIMPLEMENTED if there is none, or the fault of the call's head.
    func method(of head: CallHead) throws(RPCError) -> RPCMethod {
        if let fault = head.fault { throw fault }
        let method = try method(httpPath: head.path)
        guard !method.takesFurtherRequests || head.format == .grpc else {
            let message = "\(method.name) has a request stream: use gRPC"
            throw RPCError(.unimplemented, reason: .grpcRequired, message, metadata: ["method": method.name])
        }
        return method
    }

    private func method(httpPath: String) throws(RPCError) -> RPCMethod {
        // The hot path: taking it apart takes longer than comparing it with that of each method.
        if let method = knownMethod(httpPath: httpPath) { return method }
        guard let path = MethodPath(httpPath: httpPath) else {
            throw RPCError(.unimplemented, reason: .methodUnknown, "the path is not /service/method")
        }
        return try method(path)
    }
}
