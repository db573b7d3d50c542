internal import Foundation
package import MarvelDomain

extension Timestamp {
    /// Returns the time of the system's wall clock.
    package static func systemClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }
}
