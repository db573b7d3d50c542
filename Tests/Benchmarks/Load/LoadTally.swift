import Framing
import Histogram

/// The answers that have arrived so far.
struct LoadTally {
    /// Calls that ended well.
    var calls = 0
    /// Answers and pages: a streamed call has many.
    var messages = 0
    var bytes = 0
    /// Calls that ended with an error.
    var failures = 0
    /// From the request's writing to the end of its answer, in nanoseconds; 3 digits, up to a minute.
    var latencies = Histogram<UInt64>(lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000_000)

    /// - Returns: Whether the call has ended.
    mutating func received(type: UInt8, flags: UInt8, data: UnsafeRawBufferPointer) -> Bool {
        switch FrameType(rawValue: type) {
        case .response:
            // A Response begins with its status if it has one, and only a failure has.
            if data.first == 0x0A { failures += 1 } else { calls += 1 }
            messages += 1
            bytes += data.count
            return true
        case .data:
            let flags = FrameFlags(rawValue: flags)
            if !flags.contains(.noData) {
                messages += 1
                bytes += data.count
            }
            guard flags.contains(.remoteClosed) else { return false }
            calls += 1
            return true
        default:
            return false
        }
    }
}
