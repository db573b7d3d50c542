package struct ANSIStyle: Equatable, Sendable {
    package enum Role: Sendable {
        case plain
        case heading
        case favorite
        case faint
        case success
        case failure
    }

    package let isColored: Bool

    package init(isColored: Bool) { self.isColored = isColored }

    package static let plain = ANSIStyle(isColored: false)

    package func apply(_ role: Role, to text: String) -> String {
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
