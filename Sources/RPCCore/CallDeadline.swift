package import NIOCore

/// When a call must have ended, from the `timeout_nano` that came with it.
package enum CallDeadline: Sendable, Hashable {
    case never
    /// To be enforced by whoever serves the call.
    case at(NIODeadline)
    /// The caller had no time left when it sent the call.
    case passed

    /// - Parameters:
    ///   - timeoutNanoseconds: What the caller sent: 0 asks for the default, a negative number is what was left of a
    ///     deadline that had passed (ttrpc's Go client sends that).
    ///   - defaultTimeout: What 0 means; nil is no limit.
    ///   - now: The time of arrival. A sum beyond the clock's range is no deadline.
    package init(timeoutNanoseconds: Int64, default defaultTimeout: Duration?, now: @autoclosure () -> NIODeadline) {
        var nanoseconds = timeoutNanoseconds
        if nanoseconds == 0 {
            guard let defaultTimeout else {
                self = .never
                return
            }
            nanoseconds = TimeAmount(defaultTimeout).nanoseconds
        }
        guard nanoseconds > 0 else {
            self = .passed
            return
        }
        let (sum, overflow) = now().uptimeNanoseconds.addingReportingOverflow(UInt64(nanoseconds))
        self = overflow || sum > UInt64(Int64.max) ? .never : .at(.uptimeNanoseconds(sum))
    }

    /// When the call must have ended that the current task works for, so that what lies deep below it can plan; nil is
    /// never. Set by whoever runs a call's work.
    @TaskLocal package static var current: NIODeadline?

    /// The time to enforce, if there is one.
    package var time: NIODeadline? {
        if case .at(let time) = self { return time }
        return nil
    }
}
