/// The colors of an emblem.
struct EmblemColors: Sendable {
    enum Metal: CaseIterable, Sendable {
        case gold, silver, copper
    }

    /// From top to bottom.
    let background: [Color]
    /// Of the shapes behind the plate.
    let glow: Color
    let line: Color
    let field: Color
    let charge: Color
    let metal: Color
    let shadedMetal: Color
    let letters: Color

    /// What is painted without showing anything through.
    var solids: [Color] { [self.line, self.field, self.charge, self.metal, self.shadedMetal, self.letters] }

    /// - Parameters:
    ///   - hue: Of the background, in turns.
    ///   - fieldHue: Of the plate, in turns.
    ///   - metal: Of its rim.
    init(hue: Double, fieldHue: Double, metal: Metal) {
        self.background = (0..<48).map { step in
            Color(lightness: 0.5 - 0.0065 * Double(step), chroma: 0.1 - 0.001 * Double(step), hue: hue)
        }
        self.glow = Color(lightness: 0.78, chroma: 0.1, hue: hue + 0.04)
        self.line = Color(lightness: 0.16, chroma: 0.04, hue: hue)
        self.field = Color(lightness: 0.46, chroma: 0.15, hue: fieldHue)
        self.charge = Color(lightness: 0.64, chroma: 0.17, hue: fieldHue + 0.03)
        self.letters = Color(lightness: 0.98, chroma: 0.015, hue: 0.25)
        let (lightness, chroma, metalHue) =
            switch metal {
            case .gold: (0.88, 0.15, 0.25)
            case .silver: (0.92, 0.015, 0.68)
            case .copper: (0.78, 0.12, 0.16)
            }
        self.metal = Color(lightness: lightness, chroma: chroma, hue: metalHue)
        self.shadedMetal = Color(lightness: lightness - 0.2, chroma: chroma, hue: metalHue - 0.03)
    }
}
