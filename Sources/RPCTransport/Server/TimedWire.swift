package import NIOCore

/// A wire whose connections check something at certain times.
package protocol TimedWire: CallWire {
    var context: ChannelHandlerContext { get }
    var counters: EventCounters { get }
    /// The timer that is set; nil if none is.
    var timer: LoopTimer? { get set }
    /// The time of the next check; nil if there is none.
    var nextCheck: NIODeadline? { get }
    /// Checks what is due, and sets the timer again.
    func timerFired()
}

extension TimedWire {
    /// Sets the connection's timer. There is one at a time. A timer that fires too early costs less than setting it again
    /// with every frame.
    package func armTimer() {
        guard let time = nextCheck else { return }
        if let timer {
            guard time < timer.time else { return }
            timer.cancel()
        }
        let connection = NIOLoopBound<any TimedWire>(self, eventLoop: context.eventLoop)
        timer = LoopTimer(at: time, on: context.eventLoop, counters: counters) {
            connection.value.timer = nil
            connection.value.timerFired()
        }
    }
}
