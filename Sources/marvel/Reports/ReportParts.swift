internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI

/// The text below all Marvel data: the attribution, and the age if the data is stale.
struct Footer {
    var attribution: String
    var freshness = DataFreshness()

    func lines(_ style: ANSIStyle) -> [String] {
        var lines: [String] = []
        if freshness.isStale {
            lines.append("The source does not answer: this data is \(freshness.age.inWords) old.")
        }
        let attribution = self.attribution.printable
        if !attribution.isEmpty { lines.append(style.apply(.faint, to: attribution)) }
        return lines
    }
}

/// Signs that have a meaning without color.
enum Sign {
    static let favorite = "★"
}

struct HealthReport {
    var service: String
    var status: HealthStatus
    var style: ANSIStyle

    var lines: [String] {
        let subject = service.isEmpty ? "The server" : service.printable
        switch status {
        case .serving: return ["\(subject) is serving."]
        case .notServing: return [style.apply(.failure, to: "\(subject) is not serving.")]
        case .serviceUnknown: return ["The server has no service \(subject)."]
        case .unknown: return ["\(subject) has no health status yet."]
        case .other(let number): return ["\(subject) has the unknown status \(number)."]
        }
    }
}

struct CatalogReport {
    var info: CatalogInfo
    var style: ANSIStyle

    var lines: [String] {
        Facts(facts, style: style).lines
    }

    var rows: [String] { Facts(facts, style: style).rows }

    var footer: Footer { Footer(attribution: info.attribution) }

    private var facts: [(name: String, value: String)] {
        [
            ("version", info.serverVersion.printable),
            ("catalog", catalog),
            ("matches", info.matches.map(\.word).joined(separator: ", ")),
            ("loaded", info.loadedAt?.readable ?? ""),
            ("history", info.history.printable),
        ].filter { !$0.1.isEmpty }
    }

    private var catalog: String {
        let kind =
            switch info.kind {
            case .builtIn: "built-in"
            case .synthetic: "synthetic"
            case .gateway: "gateway"
            case .file: "file"
            case .other(let number): "unknown kind \(number)"
            }
        guard let count = info.characterCount else { return kind }
        return "\(kind), \(count) \(count == 1 ? "character" : "characters")"
    }
}

extension Timestamp {
    /// For people: `2026-01-31 09:05:00 UTC`.
    var readable: String {
        let time = CivilTime(seconds: seconds)
        return "\(time.date) \(time.timeOfDay) UTC"
    }
}

extension Duration {
    /// An approximate text for people: `250 ms`, `2 s`, `3 min`, `5 h`, `2 days`.
    var inWords: String {
        let milliseconds = self / .milliseconds(1)
        let steps: [(limit: Double, unit: Double, name: String)] = [
            (1_000, 1, "ms"), (120_000, 1_000, "s"), (7_200_000, 60_000, "min"), (172_800_000, 3_600_000, "h"),
        ]
        let step = steps.first { milliseconds < $0.limit } ?? (.infinity, 86_400_000, "days")
        return "\(Int((milliseconds / step.unit).rounded())) \(step.name)"
    }
}
