struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]
    private(set) var palette = EmblemPalette()

    /// The size is in pixels, above 0. `background` has the colors of equal bands from top to bottom. The palette keeps
    /// `colors` exactly.
    init(width: Int, height: Int, background: [RGBColor], colors: [RGBColor]) {
        self.width = width
        self.height = height
        self.pixels = []
        self.pixels.reserveCapacity(width * height)
        for color in colors { _ = self.palette.index(of: color) }
        for row in 0..<height {
            let index = self.palette.index(of: background[row * background.count / height])
            self.pixels += repeatElement(index, count: width)
        }
    }

    /// The outline is in pixels; parts outside the bitmap are ignored. The opacity is 0 to 1.
    mutating func fill(_ outline: Outline, _ color: RGBColor, opacity: Double = 1, within clip: Coverage? = nil) {
        let coverage = self.coverage(of: outline)
        let rows = clip.map { coverage.rows.clamped(to: $0.rows) } ?? coverage.rows
        let columns = clip.map { coverage.columns.clamped(to: $0.columns) } ?? coverage.columns
        guard !columns.isEmpty else { return }
        var blends = BlendCache(color: color, opacity: opacity)
        for row in rows {
            let shares = coverage.shares(inRow: row, columns: columns)
            let clipShares = clip?.shares(inRow: row, columns: columns) ?? shares
            var place = row * self.width + columns.lowerBound
            for (share, clipShare) in zip(shares, clipShares) {
                let share = min(share, clipShare)
                if share > 0 {
                    self.pixels[place] = blends.index(over: self.pixels[place], share: share, in: &self.palette)
                }
                place += 1
            }
        }
    }

    func coverage(of outline: Outline) -> Coverage {
        Coverage(of: outline, width: self.width, height: self.height)
    }
}

private struct BlendCache {
    let color: RGBColor
    let opacity: Double
    /// Palette indices by the color below and the coverage; -1 if not computed yet.
    private var indices = [Int16](repeating: -1, count: 256 * (Int(Coverage.full) + 1))

    init(color: RGBColor, opacity: Double) {
        self.color = color
        self.opacity = opacity
    }

    mutating func index(over below: UInt8, share: UInt8, in palette: inout EmblemPalette) -> UInt8 {
        let place = Int(below) * (Int(Coverage.full) + 1) + Int(share)
        if self.indices[place] >= 0 { return UInt8(self.indices[place]) }
        let covered = self.opacity * Double(share) / Double(Coverage.full)
        let index = palette.index(of: palette.colors[Int(below)].covered(by: self.color, share: covered))
        self.indices[place] = Int16(index)
        return index
    }
}
