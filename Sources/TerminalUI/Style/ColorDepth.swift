/// How many colors there are.
package enum ColorDepth: Sendable, Hashable, Comparable {
    /// Attributes only.
    case none
    case basic16
    case indexed256
    case full

    /// What the variables of the environment say: `NO_COLOR` (if it is not empty), `COLORTERM` and `TERM`.
    ///
    /// - Parameter variable: A variable's value by its name; nil if it is not set.
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
