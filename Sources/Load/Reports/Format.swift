internal import MarvelDomain

package enum Format {
    package static func count(_ number: Int) -> String { number.grouped }

    package static func decimal(_ number: Double, digits: Int) -> String {
        guard number.isFinite else { return number.isNaN ? "0" : number < 0 ? "-∞" : "∞" }
        let factor = (0..<digits).reduce(1) { factor, _ in factor * 10 }
        let scaled = (number.magnitude * Double(factor)).rounded()
        guard scaled < 9e18 else { return String(number) }
        let (whole, fraction) = Int(scaled).quotientAndRemainder(dividingBy: factor)
        let sign = number < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(whole) }
        let tail = String(fraction)
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - tail.count) + tail
    }

    /// With three significant digits: `1.24 ms`, `12.4 ms`, `124 µs`.
    package static func time(_ nanoseconds: Nanoseconds) -> String {
        scaled(Double(nanoseconds), [(1e3, "µs"), (1e6, "ms"), (1e9, "s")])
    }

    package static func time(_ duration: Duration) -> String { time(duration.inNanoseconds) }

    package static func bytes(_ number: Double) -> String {
        scaled(number, [(1, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB")])
    }

    private static func scaled(_ value: Double, _ units: [(factor: Double, name: String)]) -> String {
        let unit = units.first { value / $0.factor < 999.5 } ?? units[units.count - 1]
        return significant(value / unit.factor) + " " + unit.name
    }

    /// `128,430`, or a small rate with a digit after the point.
    package static func rate(_ number: Double) -> String {
        number < 99.95 ? decimal(number, digits: 1) : count(Int(min(number, 9e18).rounded()))
    }

    package static func percent(_ ratio: Double) -> String {
        let percent = ratio * 100
        guard percent > 0 else { return "0 %" }
        var digits = 2
        var smallest = 0.1
        while percent < smallest, digits < 6 {
            digits += 1
            smallest /= 10
        }
        return decimal(percent, digits: digits) + " %"
    }

    package static func percentile(_ percentile: Double) -> String {
        percentile == percentile.rounded() ? "p\(Int(percentile))" : "p\(percentile)"
    }

    private static func significant(_ value: Double) -> String {
        decimal(value, digits: value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
    }
}
