internal import LoadEngine
internal import NIOCore

/// The open model, in which calls start by the clock.
extension LoadWorker {
    /// The maximum number of calls to start before the event loop checks its sockets again.
    private static let callsAtOnce = 256

    /// Starts every due call while there are free places, and schedules itself for the next call.
    ///
    /// - Parameter link: A link that has a free place, if known.
    func startDueCalls(on link: LoadLink? = nil) {
        guard let pacer, phase == .warmingUp || phase == .measuring else { return }
        let wasBlocked = isBlocked
        isBlocked = false
        for _ in 0..<LoadWorker.callsAtOnce {
            let now = LoadClock.now
            switch pacer.decide(elapsed: now - start, sent: sent) {
            case .start(let due):
                let origin = start + due
                // While all places were taken, only the place on `link` has become free.
                if let place = wasBlocked ? link.flatMap({ $0.hasRoom ? $0 : nil }) : takeLink() {
                    guard startCall(on: place, origin: origin) else { continue }
                    account(delay: now - origin, isLate: wasBlocked)
                } else if isAnyLinkOpen {
                    // The next call that ends frees a place.
                    isBlocked = true
                    return
                } else {
                    failCall(origin: origin)
                }
            case .wait(let time):
                return wake(at: start.adding(time))
            case .finished:
                // A run with a time limit lasts until that time, even if its last calls have ended before.
                return hasTimeLimit ? () : endStarts()
            }
        }
        wake(at: 0)
    }

    private func account(delay: Nanoseconds, isLate: Bool) {
        guard phase == .measuring else { return }
        if recorder.pacing.startDelay == nil { recorder.pacing.startDelay = LatencyHistogram() }
        recorder.pacing.startDelay?.record(delay)
        if isLate { recorder.pacing.lateStarts += 1 }
    }

    private func wake(at time: Nanoseconds) {
        timer?.cancel()
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: LoadClock.deadline(time)) {
            self.startDueCalls()
        }
    }
}
