internal import MarvelClient
internal import TerminalUI

/// The text below all Marvel data: the attribution, and the age if the data is stale.
struct Footer {
    var attribution: String
    var freshness = DataFreshness()

    /// Returns the lines; none if there is nothing to print.
    func lines(_ style: ANSIStyle) -> [String] {
        var lines: [String] = []
        if freshness.isStale {
            lines.append("The source does not answer: this is \(freshness.age.inWords) old.")
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

/// Named values, one on each line, aligned.
struct Facts {
    var facts: [(name: String, value: String)]
    var style: ANSIStyle

    var lines: [String] {
        let width = facts.reduce(0) { max($0, $1.name.displayWidth) }
        return facts.map { fact in
            let padding = String(repeating: " ", count: width - fact.name.displayWidth)
            return "\(style.apply(.faint, to: fact.name))\(padding)  \(fact.value)"
        }
    }

    /// The same for scripts.
    var rows: [String] { facts.map { "\($0.name)\t\($0.value)" } }
}
