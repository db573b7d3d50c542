internal import LoadEngine
internal import NIOCore

/// Calls that start, on whichever link has room.
extension LoadWorker {
    /// Closed model: as many calls as there is room for.
    func fill(_ link: LoadLink) {
        while link.hasRoom, mayStart {
            guard startCall(on: link, origin: LoadClock.now) else { return }
        }
        if !mayStart, phase == .measuring { endStarts() }
    }

    /// Whether the closed model starts another call.
    var mayStart: Bool {
        switch phase {
        case .warmingUp: true
        case .measuring: share.overallNumber(sent) < limit.calls && LoadClock.now - start < limit.time
        case .idle, .draining: false
        }
    }

    /// - Parameters:
    ///   - link: One with room.
    ///   - origin: What the latency counts from, on `LoadClock`.
    /// - Returns: false if the link takes no calls any more.
    func startCall(on link: LoadLink, origin: Nanoseconds) -> Bool {
        let operation = plan.mix.operation(at: started)
        let request = requests.first(operation)
        let call = LoadCall(
            operation: operation,
            origin: origin,
            sent: pacer == nil ? origin : LoadClock.now,
            query: request.query,
            isMeasured: phase == .measuring
        )
        guard link.send(call, request.envelope) else { return false }
        started += 1
        sent += 1
        return true
    }

    /// A call that could not be sent anywhere counts as failed: the server was to answer it.
    func failCall(origin: Nanoseconds) {
        let operation = plan.mix.operation(at: started)
        started += 1
        sent += 1
        let call = LoadCall(
            operation: operation,
            origin: origin,
            sent: origin,
            query: 0,
            isMeasured: phase == .measuring
        )
        record(call, .unreachable(LoadWorker.unreachable))
    }

    private static let unreachable = Failure(code: "UNAVAILABLE", reason: "SERVER_UNREACHABLE")

    /// The next link with room, in turn.
    func takeLink() -> LoadLink? {
        for _ in links.indices {
            nextLink = nextLink + 1 < links.count ? nextLink + 1 : 0
            if links[nextLink].hasRoom { return links[nextLink] }
        }
        return nil
    }

    var isAnyLinkOpen: Bool { links.contains { $0.state == .open } }
}
