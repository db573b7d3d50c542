internal import Browse
internal import Glibc

extension LocalZone {
    /// The time zone of this process: that of `TZ`, or of the system.
    static var current: LocalZone {
        tzset()
        // In January and in July of 2026, one of which is summer wherever there is one.
        let isUTC = ([1_768_435_200, 1_784_073_600] as [Int64]).allSatisfy { seconds in
            let time = localTime(seconds)
            let name = time.map { String(cString: $0.tm_zone) }
            return time?.tm_gmtoff == 0 && ["UTC", "GMT"].contains(name)
        }
        return LocalZone(name: "local", isUTC: isUTC) { Int64(localTime($0)?.tm_gmtoff ?? 0) }
    }

    /// Returns nil for a time whose year is too large for the system.
    private static func localTime(_ seconds: Int64) -> tm? {
        var (seconds, time) = (time_t(seconds), tm())
        return localtime_r(&seconds, &time) == nil ? nil : time
    }
}
