internal import MarvelClient
internal import TerminalUI

/// What stands below all Marvel data: its attribution, and its age if it is older than it should be.
struct Footer {
    var attribution: String
    var freshness = DataFreshness()
    var style: ANSIStyle

    /// Begins with an empty line, unless there is nothing to say.
    var lines: [String] {
        var lines: [String] = []
        if freshness.isStale {
            lines.append("The source does not answer: this is \(freshness.age.inWords) old.")
        }
        let attribution = self.attribution.printable
        if !attribution.isEmpty { lines.append(style.apply(.faint, to: attribution)) }
        return lines.isEmpty ? [] : [""] + lines
    }
}

/// Marks that tell without color.
enum Sign {
    static let favorite = "★"
}
