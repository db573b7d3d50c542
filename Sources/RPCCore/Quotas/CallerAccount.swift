package import NIOCore
internal import Synchronization

package final class CallerAccount: Sendable {
    package let id: CallerID
    let limits: CallerLimits
    private let calls: CallPace
    private let bytes: CallPace
    /// The due times of the next call and the next byte. Atomic, because two cores may change them at once.
    private let dueCall = Atomic<UInt64>(0)
    private let dueByte = Atomic<UInt64>(0)

    init(_ kind: CallerID.Kind, _ limits: CallerLimits) {
        id = CallerID.next(kind)
        self.limits = limits
        calls = CallPace(eventsPerSecond: limits.callsPerSecond, burst: limits.callBurst)
        // A burst of one second's bytes: less would slow down larger requests.
        bytes = CallPace(eventsPerSecond: limits.bytesPerSecond, burst: limits.bytesPerSecond)
    }

    /// Counts a call, if it is allowed. Otherwise returns the time to wait.
    package func takeCall(now: NIODeadline) -> Duration? {
        guard calls.isLimited else { return nil }
        let now = CallPace.Time(now.uptimeNanoseconds)
        return Self.change(dueCall) { due in
            let next = calls.due(after: 1, due: due, now: now)
            let wait = calls.wait(due: next, now: now)
            return (wait == nil ? next : due, wait.map { .nanoseconds($0) })
        }
    }

    /// Counts received bytes. Returns the time to wait before reading again, if any.
    package func takeBytes(_ count: Int, now: NIODeadline) -> TimeAmount? {
        guard bytes.isLimited else { return nil }
        let now = CallPace.Time(now.uptimeNanoseconds)
        return Self.change(dueByte) { due in
            // The bytes have arrived, so they count in any case, and later ones wait.
            let next = bytes.due(after: count, due: due, now: now)
            return (next, bytes.wait(due: next, now: now).map { .nanoseconds($0) })
        }
    }

    /// Changes a due time, again if another core changed it meanwhile.
    private static func change<Value>(
        _ due: borrowing Atomic<UInt64>,
        _ body: (CallPace.Time) -> (CallPace.Time, Value)
    ) -> Value {
        var seen = due.load(ordering: .relaxed)
        while true {
            let (next, value) = body(CallPace.Time(bitPattern: seen))
            let (isChanged, found) = due.weakCompareExchange(
                expected: seen,
                desired: next.bitPattern,
                ordering: .relaxed
            )
            if isChanged { return value }
            seen = found
        }
    }

    /// Whether the caller has its whole burst, so that a new account would allow no more.
    func isRested(now: NIODeadline) -> Bool {
        let now = Double(now.uptimeNanoseconds)
        return Double(bitPattern: dueCall.load(ordering: .relaxed)) <= now
            && Double(bitPattern: dueByte.load(ordering: .relaxed)) <= now
    }
}
