/// A palette of at most 256 colors.
struct EmblemPalette {
    private(set) var colors: [RGBColor] = []

    /// Returns the index of a color, or of one that looks the same. If there is none, the color is added.
    ///
    /// If the palette is full, it returns the index of the nearest color.
    mutating func index(of color: RGBColor) -> UInt8 {
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

    /// The squared distance up to which two colors count as the same. It grows with the number of colors.
    private var tolerance: Int {
        switch self.colors.count {
        case ..<128: 6
        case ..<192: 24
        default: 96
        }
    }
}
