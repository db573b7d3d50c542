/// Three digits, and a unit.
package enum Figures {
    package static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.000_000_5: "0"
        case ..<0.001: digits(seconds * 1_000_000) + " µs"
        case ..<1: digits(seconds * 1_000) + " ms"
        case ..<120: digits(seconds) + " s"
        case ..<7_200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3_600)) h"
        default: "\(Int(seconds / 86_400)) days"
        }
    }

    package static func rate(_ perSecond: Double) -> String {
        perSecond >= 10_000 ? count(Int(perSecond)) : digits(perSecond)
    }

    /// A large number is in thousands or millions.
    package static func count(_ count: Int) -> String {
        switch count {
        case ..<10_000: "\(count)"
        case ..<1_000_000: digits(Double(count) / 1_000) + " k"
        case ..<1_000_000_000: digits(Double(count) / 1_000_000) + " M"
        default: digits(Double(count) / 1_000_000_000) + " G"
        }
    }

    package static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_024: "\(count) B"
        case ..<1_048_576: digits(Double(count) / 1_024) + " KiB"
        case ..<1_073_741_824: digits(Double(count) / 1_048_576) + " MiB"
        default: digits(Double(count) / 1_073_741_824) + " GiB"
        }
    }

    /// Failures by a fault of the server.
    package static func errors(_ totals: MethodTotals) -> String {
        guard totals.failures > 0, totals.calls > 0 else { return "0" }
        let percent = Double(totals.failures) / Double(totals.calls) * 100
        return percent < 0.01 ? "< 0.01 %" : digits(percent) + " %"
    }

    /// Keeps all digits before the point if these are more.
    private static func digits(_ value: Double) -> String {
        let decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
        let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
        let scaled = Int((value * scale).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        var fraction = String(scaled % Int(scale))
        fraction = String(repeating: "0", count: decimals - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        return fraction.isEmpty ? "\(scaled / Int(scale))" : "\(scaled / Int(scale)).\(fraction)"
    }
}
