internal import LoadEngine
internal import NIOCore

/// The connections: opened before the test, and opened again after a loss.
extension LoadWorker {
    private static let connectTimeout = Duration.seconds(10)

    /// Opens all links, at most `maximum` at a time. After the first failure no more attempts begin.
    func connect(atOnce maximum: Int) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        var (next, open) = (0, 0)
        func connectNext() {
            guard next < links.count else { return }
            let link = links[next]
            next += 1
            link.connect(on: eventLoop, timeout: LoadWorker.connectTimeout) { result in
                switch result {
                case .success:
                    open += 1
                    if open == self.links.count { promise.succeed() }
                    connectNext()
                case .failure(let error):
                    next = self.links.count
                    promise.fail(error)
                }
            }
        }
        for _ in 0..<min(maximum, links.count) { connectNext() }
        return promise.futureResult
    }

    var openLinks: Int { links.count { $0.state == .open } }

    /// Opens a link again, after a delay.
    func reconnect(_ link: LoadLink) {
        eventLoop.assumeIsolated().scheduleTask(in: link.delay) {
            guard link.state == .closed, !self.isClosed else { return }
            link.connect(on: self.eventLoop, timeout: LoadWorker.connectTimeout) { self.reconnected(link, $0) }
        }
    }

    private func reconnected(_ link: LoadLink, _ result: Result<Void, any Error>) {
        switch result {
        case .success where isClosed:
            link.close()
        case .success:
            recorder.connections.reopened += 1
            placeIsFree(on: link)
        case .failure:
            recorder.connections.failedAttempts += 1
            // In the closed model, only this link would have made the call.
            if pacer == nil, phase == .measuring {
                if mayStart { failCall(origin: LoadClock.now) }
                if !mayStart { endStarts() }
                finishIfDone()
            }
            guard link.state == .abandoned else { return reconnect(link) }
            guard links.allSatisfy({ $0.state == .abandoned }) else { return }
            wasServerLost = true
            endStarts()
            finishIfDone()
        }
    }
}
