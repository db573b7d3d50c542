internal import TerminalUI

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
}
