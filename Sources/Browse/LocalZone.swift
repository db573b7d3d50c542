internal import MarvelDomain

/// A time zone as a screen needs it: the offset from UTC at any time.
///
/// It is not Foundation's `TimeZone`, because that brings 34 MB of tables into the program.
package struct LocalZone: Sendable, Equatable {
    /// UTC, all year.
    package static let utc = LocalZone(name: "UTC", isUTC: true) { _ in 0 }

    private let name: String
    /// Whether its times are UTC all year, and not only in winter.
    let isUTC: Bool
    private let offset: @Sendable (Int64) -> Int64

    /// - Parameters:
    ///   - name: The name, which distinguishes it from other zones.
    ///   - isUTC: Whether its times are UTC all year.
    ///   - offset: Returns the offset from UTC, in seconds, at a time in seconds since 1970.
    package init(name: String, isUTC: Bool, offset: @escaping @Sendable (_ seconds: Int64) -> Int64) {
        self.name = name
        self.isUTC = isUTC
        self.offset = offset
    }

    package static func == (left: LocalZone, right: LocalZone) -> Bool { left.name == right.name }

    /// Returns the date and time of day that clocks in the zone show.
    func civilTime(_ time: Timestamp) -> CivilTime { CivilTime(seconds: time.seconds &+ offset(time.seconds)) }
}
