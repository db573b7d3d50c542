internal import LoadEngine
internal import NIOCore

/// Nanoseconds since some moment before the program began, as the event loops' timers count them.
enum LoadClock {
    static var now: Nanoseconds { Nanoseconds(NIODeadline.now().uptimeNanoseconds) }

    static func deadline(_ time: Nanoseconds) -> NIODeadline {
        .uptimeNanoseconds(UInt64(max(0, time)))
    }
}

extension Nanoseconds {
    /// Later by `other`, or the end of time.
    func adding(_ other: Nanoseconds) -> Nanoseconds {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
