package import NIOCore

/// The deadline of a call, computed from the `timeout_nano` of its request.
package enum CallDeadline: Sendable, Hashable {
    case never
    case at(NIODeadline)
    case passed

    /// A timeout of 0 requests the default. A negative one means that the deadline has passed (ttrpc's Go client sends
    /// that). A nil default is no limit. A sum beyond the clock's range means no deadline.
    package init(timeoutNanoseconds: Int64, default defaultTimeout: TimeAmount?, now: @autoclosure () -> NIODeadline) {
        var nanoseconds = timeoutNanoseconds
        if nanoseconds == 0 {
            guard let defaultTimeout else {
                self = .never
                return
            }
            nanoseconds = defaultTimeout.nanoseconds
        }
        guard nanoseconds > 0 else {
            self = .passed
            return
        }
        let (sum, overflow) = now().uptimeNanoseconds.addingReportingOverflow(UInt64(nanoseconds))
        self = overflow || sum > UInt64(Int64.max) ? .never : .at(.uptimeNanoseconds(sum))
    }

    /// The deadline of the current task's call, if any, for planning by code below the handler. The runner of the
    /// call's work sets it.
    @TaskLocal package static var current: NIODeadline?

    /// The time to enforce, if any.
    package var time: NIODeadline? {
        if case .at(let time) = self { return time }
        return nil
    }
}
