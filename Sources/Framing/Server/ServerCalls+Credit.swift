internal import NIOCore

/// The credit of streams, and the time that they wait for more.
extension ServerCalls {
    mutating func limitByCredit(_ id: StreamID) {
        guard case .extended(let initial) = peer, initial > 0, let index = index(of: id) else { return }
        open[index].credit = .messages(initial)
    }

    mutating func spendCredit(_ id: StreamID, now: NIODeadline) -> ServerConnectionStateMachine.OnMessage {
        guard let index = index(of: id), !open[index].isStopping else { return .ignore }
        switch open[index].credit {
        case .unlimited:
            break
        case .messages(0):
            waitForCredit(index, now: now)
            return .waitForCredit
        case .messages(let count):
            open[index].credit = .messages(count - 1)
        }
        behavior.messageSent()
        return .send
    }

    func hasCredit(_ id: StreamID) -> Bool {
        guard let index = index(of: id) else { return false }
        switch open[index].credit {
        case .unlimited: return true
        case .messages(let count): return count > 0
        }
    }

    private mutating func waitForCredit(_ index: Int, now: NIODeadline) {
        guard open[index].creditDeadline == nil else { return }
        let deadline = now + TimeAmount(creditTimeout)
        open[index].creditDeadline = deadline
        // All wait equally long, so the first to wait is the first to time out.
        if creditCheck == nil { creditCheck = deadline }
    }

    mutating func creditReceived(_ frame: Frame, now: NIODeadline) -> OnFrame {
        // Credit on an unlimited, unary, unknown or ended call is ignored: it can cross the end of the stream.
        guard
            let grant = frame.credit, grant > 0,
            let index = index(of: frame.header.streamID), !open[index].isStopping,
            case .messages(let count) = open[index].credit
        else { return lateFrameReceived(now: now) }
        let (sum, overflow) = count.addingReportingOverflow(grant)
        open[index].credit = .messages(overflow ? .max : sum)
        let isAwaited = open[index].creditDeadline != nil
        open[index].creditDeadline = nil
        return afterRateCheck(
            behavior.attendantFrameReceived(now: now),
            isAwaited ? .resumeCall(frame.header.streamID) : .done
        )
    }

    // MARK: Time

    var nextCheck: NIODeadline? {
        guard let creditCheck, let idleTimer else { return creditCheck ?? idleTimer?.nextCheck }
        return min(creditCheck, idleTimer.nextCheck)
    }

    mutating func check(now: NIODeadline) -> ServerConnectionStateMachine.OnCheck {
        if idleTimer?.isExpired(now: now, hasCalls: !open.isEmpty) == true, let idleTimer {
            return .endConnection(terminate(.idleTimeout(after: idleTimer.timeout)))
        }
        guard let creditCheck, creditCheck <= now else { return .continueConnection }
        var expired: [StreamID] = []
        for index in open.indices {
            guard let deadline = open[index].creditDeadline, deadline <= now else { continue }
            stop(index)
            expired.append(open[index].id)
        }
        self.creditCheck = open.compactMap(\.creditDeadline).min()
        return expired.isEmpty ? .continueConnection : .failCalls(expired, .creditTimeout(after: creditTimeout))
    }
}
