package import MarvelDomain

/// A plate with initials, for a character without a picture. The same id and name give the same pixels on every
/// machine.
///
/// Drawing takes from 1 ms for `standard_large` to 10 ms for the full picture: too long for an event loop.
package struct Emblem: Sendable {
    private let design: EmblemDesign
    private let initials: [Character]

    package init(id: Int64, name: String) {
        self.design = EmblemDesign(id: id, name: name)
        self.initials = BlockLetters.initials(of: name)
    }

    package func png(_ variant: ImageVariant) -> [UInt8] {
        var painter = EmblemPainter(
            width: variant.width,
            height: variant.height,
            design: self.design,
            initials: self.initials
        )
        let canvas = painter.paint()
        return PNGEncoder.encode(
            width: canvas.width,
            height: canvas.height,
            palette: canvas.palette.colors,
            pixels: canvas.pixels
        )
    }
}

private struct EmblemPainter {
    private var canvas: Canvas
    private let design: EmblemDesign
    private let initials: [Character]
    private let center: Point
    private let scale: Double
    /// In units of `scale`.
    private let reach: Double

    private var colors: EmblemColors { self.design.colors }

    init(width: Int, height: Int, design: EmblemDesign, initials: [Character]) {
        let colors = design.colors
        self.canvas = Canvas(width: width, height: height, background: colors.background, colors: colors.solids)
        self.design = design
        self.initials = initials
        self.center = Point(Double(width) / 2, Double(height) / 2)
        let sides = design.hasWings ? 0.64 : 0.84
        self.scale = min(self.center.x * sides, self.center.y * 0.84)
        self.reach = self.center.length / self.scale
    }

    mutating func paint() -> Canvas {
        self.paintBackdrop()
        if self.design.hasWings { self.paintWings() }
        self.paintPlate()
        self.paintInitials()
        return self.canvas
    }
}

extension EmblemPainter {
    private mutating func paintBackdrop() {
        switch self.design.backdrop {
        case .rays:
            self.fill(.rays(10, radius: self.reach * 1.1, turns: 0.05), self.colors.glow, opacity: 0.16)
        case .skyline:
            self.paintSkyline()
        case .rings:
            for radius in [1.7, 1.35] { self.fill(.circle(radius: radius), self.colors.glow, opacity: 0.14) }
        case .chevrons:
            for y in stride(from: -self.reach - 1, to: self.reach, by: 0.9) {
                let arms = [Point(-self.reach, y + self.reach), Point(0, y), Point(self.reach, y + self.reach)]
                self.fill(Outline(stroking: arms, width: 0.32), self.colors.glow, opacity: 0.14)
            }
        }
        self.fill(.circle(radius: 1.12), self.colors.glow, opacity: 0.22)
    }

    private mutating func paintSkyline() {
        var source = SplitMix64(seed: self.design.seed)
        let bottom = self.center.y / self.scale
        var left = -self.center.x / self.scale
        var houses = Outline([])
        while left < self.reach {
            let width = 0.2 + 0.04 * Double(source.next(below: 6))
            let top = bottom - 0.5 - 0.12 * Double(source.next(below: 10))
            houses = houses + .rectangle(left: left, top: top, right: left + width, bottom: bottom)
            left += width
        }
        self.fill(houses, self.colors.line, opacity: 0.6)
    }

    private mutating func paintWings() {
        let wing = Outline.wing(feathers: 4)
        for (side, color) in [(wing, self.colors.shadedMetal), (wing.mirrored, self.colors.metal)] {
            let outlines = side.contours.map { Outline(stroking: $0 + $0.prefix(1), width: 0.1) }
            self.fill(outlines.reduce(side) { $0 + $1 }, self.colors.line)
            self.fill(side, color)
        }
    }

    private mutating func paintPlate() {
        let plate = self.design.plate.outline
        let edge = plate.contours[0] + plate.contours[0].prefix(1)
        self.fill(plate + Outline(stroking: edge, width: 0.1), self.colors.line)
        self.fill(plate, self.colors.metal)
        let rightHalf = self.area(of: .rectangle(left: 0, top: -1.1, right: 1.1, bottom: 1.1))
        self.fill(plate, self.colors.shadedMetal, within: rightHalf)
        self.fill(plate.moved(by: .zero, scale: 0.86), self.colors.line)
        let field = plate.moved(by: .zero, scale: 0.82)
        self.fill(field, self.colors.field)
        let fieldArea = self.area(of: field)
        for part in self.design.charge.outlines { self.fill(part, self.colors.charge, within: fieldArea) }
        self.fill(.rectangle(left: 0, top: -1, right: 1, bottom: 1), self.colors.line, opacity: 0.2, within: fieldArea)
    }

    private mutating func paintInitials() {
        guard !self.initials.isEmpty else { return }
        let box = self.design.plate.letterBox
        func letters(border: Double) -> Outline {
            BlockLetters.outline(of: self.initials, width: box.x, height: box.y, weight: 2.2, border: border)
        }
        self.fill(letters(border: 0.9), self.colors.line)
        self.fill(letters(border: 0), self.colors.letters)
    }

    private mutating func fill(_ outline: Outline, _ color: RGBColor, opacity: Double = 1, within clip: Coverage? = nil)
    {
        let placed = outline.moved(by: self.center, scale: self.scale)
        self.canvas.fill(placed, color, opacity: opacity, within: clip)
    }

    private func area(of outline: Outline) -> Coverage {
        self.canvas.coverage(of: outline.moved(by: self.center, scale: self.scale))
    }
}

extension EmblemDesign.Plate {
    fileprivate var outline: Outline {
        switch self {
        case .shield: .shield(dip: 0)
        case .dippedShield: .shield(dip: 0.14)
        case .hexagon: .polygon(corners: 6)
        case .circle: .circle(radius: 0.95)
        case .octagon: .polygon(corners: 8, turns: 1 / 16)
        case .rosette: .star(points: 12, innerRadius: 0.88)
        }
    }

    fileprivate var letterBox: Point {
        switch self {
        case .shield, .dippedShield: Point(1.0, 0.82)
        case .hexagon: Point(1.06, 0.8)
        case .circle, .octagon, .rosette: Point(1.1, 0.84)
        }
    }
}

extension EmblemDesign.Charge {
    fileprivate var outlines: [Outline] {
        switch self {
        case .star: [.star(points: 5, radius: 0.86, innerRadius: 0.36)]
        case .rays: [.rays(8, radius: 1.5)]
        case .chevrons: [-0.75, -0.1, 0.55].map { .chevron(y: $0, width: 0.22) }
        case .bolt: [.bolt]
        case .bars: [-0.7, -0.1, 0.5].map { .rectangle(left: -1, top: $0, right: 1, bottom: $0 + 0.3) }
        case .rings: [.circle(radius: 0.68), .ring(radius: 0.5, width: 0.1)]
        case .saltire: [-1, 1].map { Outline(stroking: [Point($0, -1), Point(-$0, 1)], width: 0.3) }
        case .bend: [Outline(stroking: [Point(-1, -1), Point(1, 1)], width: 0.5)]
        }
    }
}
