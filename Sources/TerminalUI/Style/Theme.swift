/// On a background in a role, text without a color gets one. It stays readable even if the terminal's background was
/// detected wrongly.
package struct Theme: Sendable, Hashable {
    package enum Background: Sendable, Hashable {
        case dark
        case light
    }

    package var depth: ColorDepth
    package var background: Background

    package init(depth: ColorDepth, background: Background = .dark) {
        self.depth = depth
        self.background = background
    }

    /// ECMA-48, SGR.
    func sequence(for style: Style) -> String {
        var style = style
        let behind = style.background.role
        resolve(&style.foreground, &style.attributes) { $0.asText(self, on: behind) }
        resolve(&style.background, &style.attributes) { $0.asBackground(self) }
        if let behind, style.foreground == .standard, style.background != .standard {
            style.foreground = behind.textOnBackground(self)
        }
        var codes = style.attributes.codes
        if depth > .none { codes += colorCodes(style.foreground, 30) + colorCodes(style.background, 40) }
        return codes.isEmpty ? "\u{1B}[m" : "\u{1B}[0;\(codes.map(String.init).joined(separator: ";"))m"
    }

    private func resolve(_ color: inout Color, _ attributes: inout Style.Attributes, _ paint: (Color.Role) -> Paint) {
        guard let role = color.role else { return }
        switch paint(role) {
        case .color(let resolved):
            color = resolved
        case .attributes(let added):
            color = .standard
            attributes.formUnion(added)
        }
    }

    private func colorCodes(_ color: Color, _ base: Int) -> [Int] {
        switch color {
        case .standard, .role: []
        case .indexed(let index) where index < 8: [base + Int(index)]
        case .indexed(let index) where index < 16: [base + 60 + Int(index) - 8]
        case .indexed(let index): depth == .basic16 ? [] : [base + 8, 5, Int(index)]
        case .rgb(let color):
            switch depth {
            case .full: [base + 8, 2, Int(color.red), Int(color.green), Int(color.blue)]
            case .indexed256: [base + 8, 5, Int(color.indexed)]
            case .basic16, .none: colorCodes(.indexed(color.basic), base)
            }
        }
    }
}

extension Style.Attributes {
    fileprivate var codes: [Int] {
        let all: [(Style.Attributes, Int)] = [(.bold, 1), (.faint, 2), (.inverse, 7)]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

package struct Style: Sendable, Hashable {
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let faint = Attributes(rawValue: 2)
        package static let inverse = Attributes(rawValue: 4)
    }

    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    package static let plain = Style()
}
