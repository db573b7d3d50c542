/// Times for people: a number with a unit, `250ms`, `1.5s`, `2m`, `24h`, `90d`, `52w`.
extension Duration {
    private static let units: [(name: String, nanoseconds: Double)] = [
        ("w", 604_800e9), ("d", 86_400e9), ("h", 3_600e9), ("m", 60e9), ("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1),
    ]
    private static let maximumDays = 3_653

    /// Nil if the unit is missing or unknown, or the number is invalid, or the time is above ten years.
    package init?(text: some StringProtocol) {
        let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let name = text.dropFirst(number.count)
        guard let unit = Self.units.first(where: { $0.name == name }), number.first != ".", number.last != ".",
            let count = Double(number)
        else { return nil }
        let nanoseconds = (count * unit.nanoseconds).rounded()
        guard nanoseconds <= Double(Self.maximumDays) * 86_400e9 else { return nil }
        self = .nanoseconds(Int64(nanoseconds))
    }

    /// The rule that a text breaks, as the end of a sentence, and a remedy.
    package static func refusal(of text: String) -> String {
        if let time = Duration(text: text + "s"), time > .zero {
            return "add a unit: \(text)s, or one of ms, m, h, d, w"
        }
        return "a duration is a number above 0 with a unit, at most ten years: 250ms, 1.5s, 2m, 24h, 90d"
    }

    /// The time as `init(text:)` accepts it, with the largest unit that divides it.
    package var text: String {
        let nanoseconds = self / .nanoseconds(1)
        let unit = Self.units.first {
            nanoseconds >= $0.nanoseconds && nanoseconds.truncatingRemainder(dividingBy: $0.nanoseconds) == 0
        }
        guard let unit else { return "0s" }
        return "\(Int64(nanoseconds / unit.nanoseconds))\(unit.name)"
    }
}
