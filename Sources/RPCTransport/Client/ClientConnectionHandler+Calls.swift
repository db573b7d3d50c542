internal import Framing
internal import NIOCore
internal import RPCCore

/// Calls on their way out.
extension ClientConnectionHandler {
    func send(_ call: ClientCall, through channel: ClientChannel) {
        guard call.isWanted else { return }
        guard context != nil else { return call.fail(unseen: neverSent) }
        switch machine.openCall(call.request.kind) {
        case .send(let id):
            write(call, on: id, through: channel)
        case .wait:
            guard call.queued(on: channel) else { return machine.callWithdrawn() }
            waiting.append((call, channel))
        case .refuseFull(let maximum):
            call.fail(unseen: .queueFull(maximum))
        case .refuse:
            call.fail(unseen: neverSent)
        }
    }

    /// Some call has ended: those that wait get its place, the longest first.
    func sendWaitingCalls() {
        while let (call, channel) = waiting.first, let id = machine.nextCall(call.request.kind) {
            waiting.removeFirst()
            write(call, on: id, through: channel)
        }
    }

    func withdraw(_ call: ClientCall) {
        guard let index = waiting.firstIndex(where: { $0.call === call }) else { return }
        waiting.remove(at: index)
        machine.callWithdrawn()
    }

    func failWaitingCalls(_ error: RPCError) {
        while let (call, _) = waiting.popFirst() {
            machine.callWithdrawn()
            call.fail(unseen: error)
        }
    }

    func grant(_ count: UInt32, on id: StreamID) {
        guard calls[id] != nil else { return }
        outbound.writeCreditFrame(count, on: id)
        scheduleFlush()
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        guard machine.callAbandoned(id) == .sendCancel else { return }
        outbound.writeFrame(.cancel, on: id)
        sendWaitingCalls()
        scheduleFlush()
        closeIfFinished()
    }

    private func write(_ call: ClientCall, on id: StreamID, through channel: ClientChannel) {
        let envelope = call.request.envelope(remaining: call.deadline.map { $0 - .now() })
        guard envelope.readableBytes <= FrameDecoder.protocolMaximum else {
            _ = machine.callAbandoned(id)
            return call.fail(
                unseen: Refusal.frameTooLarge(
                    byteCount: envelope.readableBytes,
                    maximum: FrameDecoder.protocolMaximum
                ).error
            )
        }
        guard call.opened(on: channel, as: id) else {
            _ = machine.callAbandoned(id)
            return
        }
        calls[id] = call
        outbound.writeFrame(
            .request,
            on: id,
            flags: call.request.kind == .serverStreaming ? .remoteClosed : [],
            data: envelope
        )
        watchServer()
        scheduleFlush()
        // The ids of this connection may have run out with this call.
        if !machine.acceptsCalls { onRetired?() }
    }
}

/// What a caller is told of a call that had no answer.
extension ClientConnectionHandler {
    var connectionLost: RPCError {
        RPCError(
            .unavailable,
            reason: "CONNECTION_LOST",
            "the connection to \(address) was lost before the call ended; the server may have run it",
            metadata: ["address": "\(address)", "sent": "true"]
        )
    }

    var neverSent: RPCError {
        RPCError(
            .unavailable,
            reason: "CONNECTION_LOST",
            "the connection to \(address) was lost before the call was sent",
            metadata: ["address": "\(address)", "sent": "false"]
        )
    }
}

extension RPCError {
    fileprivate static func queueFull(_ maximum: Int) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: "CLIENT_QUEUE_FULL",
            "\(maximum) calls wait already for the server's limit of calls at once: make fewer at a time",
            metadata: ["maximum": "\(maximum)"]
        )
    }
}
