internal import NIOCore

/// One timer for the deadlines of all calls, so that a call costs no timer.
///
/// It is set for the earliest deadline. When the call with that deadline ends in time, as nearly all do, the timer
/// stays as it is: it fires once without effect, and is set for the earliest deadline at that time.
struct DeadlineTimer {
    private var time: NIODeadline?
    private var timer: Scheduled<Void>?

    /// Returns whether the timer has to be set for this deadline.
    func isEarlier(_ deadline: NIODeadline) -> Bool {
        guard let time else { return true }
        return deadline < time
    }

    mutating func set(_ time: NIODeadline, _ timer: Scheduled<Void>) {
        self.timer?.cancel()
        self.time = time
        self.timer = timer
    }

    mutating func fired() {
        time = nil
        timer = nil
    }

    mutating func stop() {
        timer?.cancel()
        fired()
    }
}
