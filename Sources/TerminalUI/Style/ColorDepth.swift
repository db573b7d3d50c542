/// The number of colors that a terminal supports.
package enum ColorDepth: Sendable, Hashable, Comparable {
    /// No colors, only attributes.
    case none
    case basic16
    case indexed256
    case full

    /// Detects the depth from environment variables: `NO_COLOR` (if it is not empty), `COLORTERM` and `TERM`.
    ///
    /// - Parameter variable: Returns a variable's value by its name; nil if it is not set.
    package init(environment variable: (String) -> String?) {
        let term = variable("TERM") ?? ""
        if variable("NO_COLOR").map({ !$0.isEmpty }) == true || term.isEmpty || term == "dumb" {
            self = .none
        } else if ["truecolor", "24bit"].contains(variable("COLORTERM")) || ColorDepth.isFull(term) {
            self = .full
        } else if term.contains("256color") {
            self = .indexed256
        } else {
            self = .basic16
        }
    }

    private static func isFull(_ term: String) -> Bool {
        term.hasSuffix("-direct") || ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm"].contains(term)
    }
}
