internal import LoadEngine
internal import NIOCore
internal import RPCCore

/// The start of calls, on links with free places.
extension LoadWorker {
    /// Starts as many calls as there are free places, in the closed model.
    func fill(_ link: LoadLink) {
        while link.hasRoom, mayStart {
            guard startCall(on: link, origin: LoadClock.now) else { return }
        }
        if !mayStart, phase == .measuring { endStarts() }
    }

    /// Whether the closed model may start another call.
    var mayStart: Bool {
        switch phase {
        case .warmingUp: true
        case .measuring: share.overallNumber(sent) < limit.calls && LoadClock.now - start < limit.time
        case .idle, .draining: false
        }
    }

    /// Starts a call.
    ///
    /// - Parameters:
    ///   - link: A link with a free place.
    ///   - origin: The start of the latency, on `LoadClock`.
    /// - Returns: False if the link accepts no more calls.
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
        guard link.send(call, request.encoded) else { return false }
        started += 1
        sent += 1
        return true
    }

    /// Records a call that could not be sent on any link as failed.
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

    private static let unreachable = Failure(.unavailable, .serverUnreachable)

    /// Returns the next link with a free place, in turn.
    func takeLink() -> LoadLink? {
        for _ in links.indices {
            nextLink = nextLink + 1 < links.count ? nextLink + 1 : 0
            if links[nextLink].hasRoom { return links[nextLink] }
        }
        return nil
    }

    var isAnyLinkOpen: Bool { links.contains { $0.state == .open } }
}
