struct EmblemColors: Sendable {
    enum Metal: CaseIterable, Sendable {
        case gold, silver, copper
    }

    let background: [RGBColor]
    let glow: RGBColor
    let line: RGBColor
    let field: RGBColor
    let charge: RGBColor
    let metal: RGBColor
    let shadedMetal: RGBColor
    let letters: RGBColor

    var solids: [RGBColor] { [self.line, self.field, self.charge, self.metal, self.shadedMetal, self.letters] }

    /// The hues are in turns.
    init(hue: Double, fieldHue: Double, metal: Metal) {
        self.background = (0..<48).map { step in
            RGBColor(lightness: 0.5 - 0.0065 * Double(step), chroma: 0.1 - 0.001 * Double(step), hue: hue)
        }
        self.glow = RGBColor(lightness: 0.78, chroma: 0.1, hue: hue + 0.04)
        self.line = RGBColor(lightness: 0.16, chroma: 0.04, hue: hue)
        self.field = RGBColor(lightness: 0.46, chroma: 0.15, hue: fieldHue)
        self.charge = RGBColor(lightness: 0.64, chroma: 0.17, hue: fieldHue + 0.03)
        self.letters = RGBColor(lightness: 0.98, chroma: 0.015, hue: 0.25)
        let (lightness, chroma, metalHue) =
            switch metal {
            case .gold: (0.88, 0.15, 0.25)
            case .silver: (0.92, 0.015, 0.68)
            case .copper: (0.78, 0.12, 0.16)
            }
        self.metal = RGBColor(lightness: lightness, chroma: chroma, hue: metalHue)
        self.shadedMetal = RGBColor(lightness: lightness - 0.2, chroma: chroma, hue: metalHue - 0.03)
    }
}
