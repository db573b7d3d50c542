internal import MarvelClient
internal import ProgramSupport
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
