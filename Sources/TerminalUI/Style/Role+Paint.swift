enum Paint {
    case color(Color)
    case attributes(Style.Attributes)
}

/// Each color is readable as text on the terminal's default background, and behind its default text.
extension Color.Role {
    /// `behind` is the role of the background; nil for the terminal's default background.
    func asText(_ theme: Theme, on behind: Color.Role?) -> Paint {
        switch theme.depth {
        case .none: .attributes(plainText)
        // Few pairs of the 16 colors are readable on each other.
        case .basic16 where behind?.basicBackground != nil: .attributes(plainText.subtracting(.faint))
        case .basic16: basicText.map { .color(.indexed($0)) } ?? .attributes(plainText)
        case .indexed256, .full:
            switch behind {
            case nil, .muted: .color(.rgb(RGB(theme.background == .dark ? shades.textOnDark : shades.textOnLight)))
            // Few pairs of the shades are readable on each other, either.
            case let behind?: .color(behind.textOnBackground(theme))
            }
        }
    }

    func asBackground(_ theme: Theme) -> Paint {
        switch theme.depth {
        case .none: .attributes(plainBackground)
        case .basic16: basicBackground.map { .color(.indexed($0.color)) } ?? .attributes(plainBackground)
        case .indexed256: .color(.indexed(theme.background == .dark ? indexedBackground.dark : indexedBackground.light))
        case .full: .color(.rgb(RGB(theme.background == .dark ? shades.dark : shades.light)))
        }
    }

    func textOnBackground(_ theme: Theme) -> Color {
        switch theme.depth {
        case .none: .standard
        case .basic16: basicBackground.map { .indexed($0.text) } ?? .standard
        case .indexed256, .full: .rgb(RGB(theme.background == .dark ? 0xF2F2F2 : 0x1A1A1A))
        }
    }

    private var shades: (textOnDark: UInt32, dark: UInt32, textOnLight: UInt32, light: UInt32) {
        switch self {
        case .muted: (0x9AA0A8, 0x2A2D33, 0x60656D, 0xECEDEF)
        case .accent: (0x7FB4FF, 0x1F3A5F, 0x0B57C4, 0xD6E6FF)
        case .favorite: (0xFFC24B, 0x4A3A10, 0x7A4E00, 0xFFEFC2)
        case .selection: (0xFFFFFF, 0x3A4454, 0x000000, 0xD0D8E4)
        case .success: (0x7BD88F, 0x1E4027, 0x17702F, 0xD8F3DF)
        case .warning: (0xFFB454, 0x5A3A00, 0x8F4C00, 0xFFE3BF)
        case .failure: (0xFF8A80, 0x5C1F1F, 0xB3261E, 0xFFDAD6)
        }
    }

    /// Chosen by hand: the nearest colors to `shades` would be grays, and a favorite would look selected.
    private var indexedBackground: (dark: UInt8, light: UInt8) {
        switch self {
        case .muted: (236, 255)
        case .accent: (24, 153)
        case .favorite: (58, 229)
        case .selection: (238, 252)
        case .success: (22, 194)
        case .warning: (94, 223)
        case .failure: (52, 224)
        }
    }

    private var basicText: UInt8? {
        switch self {
        case .muted, .selection: nil
        case .accent: 6
        case .favorite, .warning: 3
        case .success: 2
        case .failure: 1
        }
    }

    private var basicBackground: (color: UInt8, text: UInt8)? {
        switch self {
        case .muted, .selection: nil
        case .accent: (4, 15)
        case .favorite, .warning: (3, 0)
        case .success: (2, 0)
        case .failure: (1, 15)
        }
    }

    private var plainText: Style.Attributes {
        switch self {
        case .muted: .faint
        case .selection: .inverse
        case .accent, .favorite, .success, .warning, .failure: .bold
        }
    }

    private var plainBackground: Style.Attributes {
        switch self {
        case .muted: []
        case .accent, .selection: .inverse
        case .favorite, .success, .warning, .failure: .bold
        }
    }
}
