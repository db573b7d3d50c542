/// The style of text: with a terminal's colors, or plain.
struct ANSIStyle: Equatable, Sendable {
    /// The role of a text. Colors never carry information alone.
    enum Role: Sendable {
        case plain
        case heading
        case favorite
        case faint
        case success
        case failure
    }

    let isColored: Bool

    func apply(_ role: Role, to text: String) -> String {
        guard isColored, let code = code(for: role), !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private func code(for role: Role) -> String? {
        switch role {
        case .plain: nil
        case .heading: "1"
        case .favorite: "1;33"
        case .faint: "2"
        case .success: "1;32"
        case .failure: "1;31"
        }
    }
}

extension ANSIStyle {
    /// Decides by `--color`, then `FORCE_COLOR`, then `NO_COLOR` and `TERM=dumb`, then whether the output is a
    /// terminal.
    init(_ choice: ColorChoice, environment: Environment, isTerminal: Bool) {
        self.isColored =
            switch (choice, environment["FORCE_COLOR"]) {
            case (.always, _): true
            case (.never, _): false
            case (.auto, "0"), (.auto, "false"): false
            case (.auto, .some): true
            case (.auto, nil): isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            }
    }
}
