/// At most 256 colors, and the place of each.
struct Palette {
    private(set) var colors: [Color] = []

    /// The place of a color, or of one that the eye would take for it; it is added if there is neither.
    ///
    /// A full palette answers with the nearest color that it has.
    mutating func index(of color: Color) -> UInt8 {
        var nearest = (index: 0, distance: Int.max)
        for (index, candidate) in self.colors.enumerated() {
            let distance = candidate.squaredDistance(to: color)
            if distance < nearest.distance { nearest = (index, distance) }
        }
        if nearest.distance > self.tolerance, self.colors.count < 256 {
            self.colors.append(color)
            return UInt8(self.colors.count - 1)
        }
        return UInt8(nearest.index)
    }

    /// Up to which squared distance two colors pass for one: the fuller the palette, the more they must differ.
    private var tolerance: Int {
        switch self.colors.count {
        case ..<128: 6
        case ..<192: 24
        default: 96
        }
    }
}
