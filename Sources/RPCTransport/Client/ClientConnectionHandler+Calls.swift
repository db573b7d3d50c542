internal import Framing
internal import NIOCore
internal import RPCCore

/// The client's operations on a connection. Nothing is sent before `flush`.
extension ClientConnectionHandler {
    enum OnSend {
        case sent
        /// The server's limit of open calls is reached.
        case full
        /// The connection takes no more calls.
        case refused
    }

    func send(_ call: ClientCall) -> OnSend {
        switch framing.openCall(call.request.kind) {
        case .wait: return .full
        case .refuse: return .refused
        case .send(let id):
            do throws(RPCError) {
                let remaining = call.deadline.map { $0 - core.eventLoop.now }
                try call.request.writeFrame(on: id, remaining: remaining, to: &framing.outbound)
                call.phase = .open(self, id)
                calls[id] = call
                watchKeepalive()
            } catch {
                framing.callNotSent(id)
                call.end(.failure(error))
            }
            return .sent
        }
    }

    func grant(_ count: UInt32, on id: StreamID) {
        guard calls[id] != nil else { return }
        framing.outbound.writeCreditFrame(count, on: id)
    }

    func abandon(_ id: StreamID) {
        calls[id] = nil
        framing.abandon(id)
    }

    /// Ends the calls whose deadline has passed.
    ///
    /// - Returns: The earliest deadline of the remaining calls.
    func endLateCalls(now: NIODeadline) -> NIODeadline? {
        var next: NIODeadline?
        for (id, call) in calls {
            guard let deadline = call.deadline else { continue }
            if deadline > now {
                next = next.map { min($0, deadline) } ?? deadline
            } else {
                abandon(id)
                call.end(.failure(.deadlineExceeded))
            }
        }
        return next
    }

    // MARK: Keepalive

    /// Starts the keepalive timer while calls are open. Without an open call it does not matter whether the server is
    /// alive.
    func watchKeepalive() {
        guard isGreeted, keepaliveTimer == nil, !calls.isEmpty else { return }
        let deadline = keepalive.nextCheck
        keepaliveTimer = core.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            keepaliveTimer = nil
            guard !calls.isEmpty else { return }
            switch keepalive.check(now: core.eventLoop.now) {
            case .nothing:
                break
            case .sendPing:
                let data = ByteBuffer(integer: UInt64.random(in: .min ... .max))
                framing.outbound.writeFrame(.ping, on: .connection, data: data)
                flush()
            case .close(let error):
                return close(because: "\(error)")
            }
            watchKeepalive()
        }
    }
}
