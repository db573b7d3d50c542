/// A date and time of day in the proleptic Gregorian calendar, without a time zone.
package struct CivilTime: Sendable, Hashable {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var hour: Int64
    package var minute: Int64
    package var second: Int64

    package init(year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    private static let secondsPerDay: Int64 = 86_400
    /// The days of 400 years, the calendar's period.
    private static let daysPerEra: Int64 = 146_097
    /// The days from March 1 of year 0 to January 1, 1970.
    private static let daysBefore1970: Int64 = 719_468
}

extension CivilTime {
    /// `seconds` counts from the beginning of 1970.
    package init(seconds: Int64) {
        let (days, rest) = CivilTime.divide(seconds, by: CivilTime.secondsPerDay)
        // Years begin in March here, so that a leap day is the last day of its year.
        let (era, dayOfEra) = CivilTime.divide(days + CivilTime.daysBefore1970, by: CivilTime.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.hour = rest / 3600
        self.minute = rest / 60 % 60
        self.second = rest % 60
    }

    /// The seconds since the beginning of 1970, for an existing time.
    package var seconds: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = CivilTime.divide(marchYear, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * CivilTime.daysPerEra + dayOfEra - CivilTime.daysBefore1970
        return days * CivilTime.secondsPerDay + hour * 3600 + minute * 60 + second
    }

    /// The seconds since the beginning of 1970; nil for a nonexistent time, or outside of the years 1 to 9999, the
    /// range of `google.protobuf.Timestamp`.
    package var validSeconds: Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return CivilTime(seconds: seconds) == self ? seconds : nil
    }

    package static func midnight(ofSunday number: Int64, month: Int64, year: Int64) -> Int64 {
        let first = CivilTime(year: year, month: month, day: 1).seconds
        // January 1, 1970 was a Thursday: three days before a Sunday.
        let daysToSunday = divide(3 - first / secondsPerDay, by: 7).remainder
        return first + (daysToSunday + 7 * (number - 1)) * secondsPerDay
    }

    /// `2014-04-29`.
    package var date: String { "\(padded(year, to: 4))-\(padded(month))-\(padded(day))" }
    package var timeOfDay: String { "\(padded(hour)):\(padded(minute)):\(padded(second))" }

    private func padded(_ number: Int64, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// The quotient is rounded down, also below zero.
    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = number % divisor
        return remainder < 0 ? (number / divisor - 1, remainder + divisor) : (number / divisor, remainder)
    }
}
