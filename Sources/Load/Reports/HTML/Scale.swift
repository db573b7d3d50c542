internal import Glibc

struct Scale {
    enum Kind {
        case linear
        case logarithmic
    }

    struct Tick {
        var value: Double
        /// Whether the tick has a label; the others are thin lines.
        var isMajor = true
    }

    let kind: Kind
    let lowest: Double
    let highest: Double
    /// The positions of `lowest` and `highest`, in pixels.
    let start: Double
    let end: Double

    func position(_ value: Double) -> Double {
        let part =
            switch kind {
            case .linear: (value - lowest) / (highest - lowest)
            case .logarithmic: log10(max(value, lowest) / lowest) / log10(highest / lowest)
            }
        return start + min(max(part, 0), 1) * (end - start)
    }

    /// Round values, so few that their labels do not touch.
    var ticks: [Tick] {
        switch kind {
        case .linear:
            let step = Scale.roundStep(for: (highest - lowest) / 5)
            let first = (lowest / step).rounded(.up)
            let count = Int(((highest - lowest) / step).rounded(.down))
            return (0...count).map { Tick(value: (first + Double($0)) * step) }
        case .logarithmic:
            return logarithmicTicks
        }
    }

    private var logarithmicTicks: [Tick] {
        let decades = log10(highest / lowest)
        let labeled: Set<Int> = decades < 3.5 ? [1, 2, 5] : [1]
        var ticks: [Tick] = []
        var decade = Scale.powerOfTen(atMost: lowest)
        while decade <= highest {
            for digit in 1...9 where (lowest...highest).contains(decade * Double(digit)) {
                ticks.append(Tick(value: decade * Double(digit), isMajor: labeled.contains(digit)))
            }
            decade *= 10
        }
        return ticks
    }

    /// From 0 to a round value that is at least `highest`.
    static func linear(upTo highest: Double, from start: Double, to end: Double) -> Scale {
        let highest = highest > 0 ? highest : 1
        let step = roundStep(for: highest / 5)
        return Scale(kind: .linear, lowest: 0, highest: (highest / step).rounded(.up) * step, start: start, end: end)
    }

    /// Makes a scale between round values (1, 2 or 5 of a decade) that contains all `values` above 0. The last `margin`
    /// pixels stay free.
    static func logarithmic(_ values: [Double], from start: Double, to end: Double, margin: Double = 0) -> Scale {
        let positive = values.filter { $0 > 0 }
        let (low, high) = (positive.min() ?? 1, positive.max() ?? 10)
        let lowest = roundBelow(low)
        var highest = roundBelow(high)
        if highest < high { highest = roundAbove(highest) }
        // A scale of less than half a decade would exaggerate small differences.
        while highest < lowest * 4.99 { highest = roundAbove(highest) }
        var scale = Scale(kind: .logarithmic, lowest: lowest, highest: highest, start: start, end: end)
        while abs(end - scale.position(high)) < margin, highest < high * 1_000 {
            highest = roundAbove(highest)
            scale = Scale(kind: .logarithmic, lowest: lowest, highest: highest, start: start, end: end)
        }
        return scale
    }

    private static func roundStep(for value: Double) -> Double {
        let below = roundBelow(value)
        return below < value ? roundAbove(below) : below
    }

    /// The largest 1, 2 or 5 of a decade that is at most `value`.
    private static func roundBelow(_ value: Double) -> Double {
        let decade = powerOfTen(atMost: value)
        return [5.0, 2, 1].map { $0 * decade }.first { $0 <= value } ?? decade
    }

    private static func roundAbove(_ round: Double) -> Double {
        let decade = powerOfTen(atMost: round * 1.001)
        return [1.0, 2, 5, 10].map { $0 * decade }.first { $0 > round * 1.001 } ?? decade * 10
    }

    private static func powerOfTen(atMost value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        var power = 1.0
        while power > value { power /= 10 }
        while power * 10 <= value { power *= 10 }
        return power
    }
}
