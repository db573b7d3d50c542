package import NIOCore

/// The deadline of a call, computed from the `timeout_nano` of its request.
package enum CallDeadline: Sendable, Hashable {
    case never
    /// A time. The server of the call enforces it.
    case at(NIODeadline)
    /// The caller had no time left when it sent the call.
    case passed

    /// - Parameters:
    ///   - timeoutNanoseconds: The timeout in the request. 0 asks for the default. A negative number means that the
    ///     deadline had passed already (ttrpc's Go client sends that).
    ///   - defaultTimeout: The timeout that 0 stands for; nil is no limit.
    ///   - now: The time of arrival. A sum beyond the clock's range is no deadline.
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

    /// The deadline of the call that the current task works for; nil is none. Code below the handler can plan with it.
    /// Set by the runner of the call's work.
    @TaskLocal package static var current: NIODeadline?

    /// The time to enforce; nil if there is none.
    package var time: NIODeadline? {
        if case .at(let time) = self { return time }
        return nil
    }
}
