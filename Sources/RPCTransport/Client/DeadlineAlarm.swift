internal import NIOCore

/// One timer for the deadlines of all calls, so that a call costs none.
///
/// It is set for the earliest. When the call that it was set for ends in time, which nearly all do, it is left as it is:
/// it goes off once for nothing, and is set for the earliest of those that are there by then.
struct DeadlineAlarm {
    private var time: NIODeadline?
    private var timer: Scheduled<Void>?

    /// Whether it has to be set anew for this deadline.
    func isEarlier(_ deadline: NIODeadline) -> Bool {
        guard let time else { return true }
        return deadline < time
    }

    mutating func set(_ time: NIODeadline, _ timer: Scheduled<Void>) {
        self.timer?.cancel()
        self.time = time
        self.timer = timer
    }

    mutating func wentOff() {
        time = nil
        timer = nil
    }

    mutating func stop() {
        timer?.cancel()
        wentOff()
    }
}
