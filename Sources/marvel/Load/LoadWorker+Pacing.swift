internal import LoadEngine
internal import NIOCore

/// The open model: calls start by the clock.
extension LoadWorker {
    /// Calls that are started before the loop looks at its sockets again.
    private static let callsAtOnce = 256

    /// Starts every call that is due, as far as there are places, and comes back when the next one is.
    ///
    /// - Parameter link: One that has a place, if that is known.
    func startWhatIsDue(on link: LoadLink? = nil) {
        guard let pacer, phase == .warmingUp || phase == .measuring else { return }
        let wasBlocked = isBlocked
        isBlocked = false
        for _ in 0..<LoadWorker.callsAtOnce {
            let now = LoadClock.now
            switch pacer.decide(elapsed: now - start, sent: sent) {
            case .start(let due):
                let origin = start + due
                // While all places were taken, the only one is the one that this was told of.
                if let place = wasBlocked ? link.flatMap({ $0.hasRoom ? $0 : nil }) : takeLink() {
                    guard startCall(on: place, origin: origin) else { continue }
                    account(delay: now - origin, isLate: wasBlocked)
                } else if isAnyLinkOpen {
                    // Whoever ends next makes room.
                    isBlocked = true
                    return
                } else {
                    failCall(origin: origin)
                }
            case .wait(let time):
                return wake(at: start.adding(time))
            case .finished:
                // A run that has a time lasts as long, also when its last calls have ended before.
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
            self.startWhatIsDue()
        }
    }
}
