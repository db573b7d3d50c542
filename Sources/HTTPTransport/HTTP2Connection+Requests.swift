internal import Framing
internal import HTTPCalls
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2
internal import RPCCore
internal import RPCTransport

/// The requests of calls: their heads, their messages, and the calls that they begin.
extension HTTP2Connection {
    func begin(_ id: StreamID, _ headers: HPACKHeaders, isEnd: Bool) {
        let stream = HTTP2Stream(id, window: initialWindow)
        stream.isInputClosed = isEnd
        streams[id] = stream
        lastStream = max(lastStream, id)
        do throws(GRPCRequestHead.NotGRPC) {
            let head = try GRPCRequestHead.read(headers)
            do throws(RPCError) {
                try accept(try head.get(), on: stream)
            } catch {
                refuse(stream, error)
            }
        } catch {
            writeHeaders(GRPCResponseHeaders.status(error), on: stream, isEnd: true)
        }
        if isEnd { return inputEnded(on: id) }
        noteIncomplete(id)
    }

    /// Notes that a request has to be complete in time. Those that are complete leave the list from its front; behind one
    /// that is slow they are removed together.
    private func noteIncomplete(_ id: StreamID) {
        let limits = server.configuration.limits
        if incomplete.count >= 2 * limits.maximumStreams { incomplete = incomplete.filter { isIncomplete($0.id) } }
        incomplete.append((id, now + TimeAmount(limits.frameTimeout)))
    }

    private func accept(_ head: GRPCRequestHead, on stream: HTTP2Stream) throws(RPCError) {
        let limits = server.configuration.limits
        guard drain != .final else { throw counted(.draining) }
        guard runningCount < limits.maximumStreams else { throw counted(.streamLimit(limits.maximumStreams)) }
        guard let path = head.path else {
            throw RPCError(.unimplemented, reason: .methodUnknown, "the path is not /service/method")
        }
        let method = try server.method(path)
        // Nothing but the end of the drain would end it.
        guard drain == .none || !method.isWatch else { throw counted(.draining) }
        if let encoding = head.encoding {
            throw RPCError(.unimplemented, "grpc-encoding \(encoding) is not supported: use identity")
        }
        let reader = GRPCMessageReader(maximumByteCount: method.maximumRequestBytes, acceptsCompressed: false)
        stream.request = .open(head, method, reader, message: nil)
    }

    private func counted(_ refusal: Refusal) -> RPCError {
        counters.count(ServerEvent(refusal))
        return refusal.error
    }

    func received(_ bytes: ByteBuffer, on id: StreamID) {
        guard let stream = streams[id] else { return }
        guard case .open(let head, let method, var reader, var message) = stream.request else { return }
        // The reader's buffer is not shared while it is changed.
        stream.request = .taken
        do throws(RPCError) {
            reader.append(bytes)
            while let next = try reader.next() {
                guard message == nil else { throw .secondRequest }
                message = next.bytes
            }
        } catch {
            return refuse(stream, error)
        }
        hold(reader.byteCount + (message?.readableBytes ?? 0), of: stream)
        // The prefix and the largest message together are longer than the window.
        let missing = reader.missingByteCount - stream.inboundWindow
        stream.request = .open(head, method, reader, message: message)
        if missing > 0 { widenWindow(by: missing, of: HTTP2StreamID(id)) }
    }

    /// Notes the bytes that a stream's incomplete request has in memory.
    private func hold(_ byteCount: Int, of stream: HTTP2Stream) {
        heldByteCount += byteCount - stream.heldByteCount
        stream.heldByteCount = byteCount
        giveBackWindow()
    }

    /// Notes that a request is complete, or that nothing more of it is wanted.
    func requestEnded(of stream: HTTP2Stream) {
        stream.request = .taken
        if stream.heldByteCount > 0 { hold(0, of: stream) }
        while let first = incomplete.first, !isIncomplete(first.id) { incomplete.removeFirst() }
    }

    private func isIncomplete(_ id: StreamID) -> Bool {
        guard case .open = streams[id]?.request else { return false }
        return true
    }

    /// Ends the calls whose requests take too long.
    func checkRequests() {
        while let first = incomplete.first, first.deadline <= now {
            incomplete.removeFirst()
            guard let stream = streams[first.id], isIncomplete(first.id) else { continue }
            counters.count(.frameTimeout)
            refuse(stream, .requestIncomplete(after: server.configuration.limits.frameTimeout))
        }
    }

    /// Begins the call of a stream whose request is complete.
    func inputEnded(on id: StreamID) {
        guard let stream = streams[id] else { return }
        stream.isInputClosed = true
        guard case .open(let head, let method, let reader, let message) = stream.request else { return }
        requestEnded(of: stream)
        do throws(RPCError) {
            guard reader.isBetweenMessages else { throw RPCError(.internalError, "the request ends inside a message") }
            guard let message else { throw RPCError(.unimplemented, "the request has no message") }
            try begin(stream, head, method, message)
        } catch {
            refuse(stream, error)
        }
    }

    private func begin(
        _ stream: HTTP2Stream,
        _ head: GRPCRequestHead,
        _ method: RPCCore.Method,
        _ message: ByteBuffer
    ) throws(RPCError) {
        let id = stream.id
        let call = try IncomingCall(
            message,
            metadata: head.metadata,
            timeoutNanoseconds: head.timeoutNanoseconds,
            to: method,
            wantsStream: true,
            unaryTimeout: server.unaryTimeout,
            now: now,
            from: calls.caller,
            end: method.isWatch ? calls.end(of: id, on: self) : nil
        )
        stream.isRunning = true
        runningCount += 1
        let answer = calls.begin(id, method, call, wantsStream: true, credit: .messages(1), on: self)
        if let answer { respond(id, answer) }
    }

    /// Answers a request that begins no call.
    private func refuse(_ stream: HTTP2Stream, _ error: RPCError) {
        requestEnded(of: stream)
        if error.isFaultOfPeer { counters.count(.malformedRequest) }
        writeStatus(error, on: stream)
    }
}

extension RPCError {
    fileprivate static let secondRequest = RPCError(
        .unimplemented,
        "the request has a second message, and the method takes one"
    )

    fileprivate static func requestIncomplete(after timeout: Duration) -> RPCError {
        RPCError(.deadlineExceeded, reason: .deadlineExceeded, "the request was not complete after \(timeout)")
    }
}
