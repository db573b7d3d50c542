/// A picture in the making: outlines are painted one over the other, with smooth edges.
struct Canvas {
    let width: Int
    let height: Int
    /// Row by row from the top left, each an index into the palette.
    private(set) var pixels: [UInt8]
    private(set) var palette = Palette()

    /// - Parameters:
    ///   - width: In pixels, above 0.
    ///   - height: In pixels, above 0.
    ///   - background: The colors of the ground, in bands of equal height from top to bottom; at least one.
    ///   - colors: What will be painted: these are kept exactly, however many mixtures the edges ask for.
    init(width: Int, height: Int, background: [Color], colors: [Color]) {
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

    /// Paints the inside of an outline.
    ///
    /// - Parameters:
    ///   - outline: Where to paint, its coordinates in pixels; what lies beyond the picture is left out.
    ///   - color: What to paint.
    ///   - opacity: From 0, invisible, to 1, hiding all that was there.
    ///   - clip: Paint within this area only.
    mutating func fill(_ outline: Outline, _ color: Color, opacity: Double = 1, within clip: Coverage? = nil) {
        let coverage = self.coverage(of: outline)
        let rows = clip.map { coverage.rows.clamped(to: $0.rows) } ?? coverage.rows
        let columns = clip.map { coverage.columns.clamped(to: $0.columns) } ?? coverage.columns
        guard !columns.isEmpty else { return }
        var mixtures = Mixtures(color: color, opacity: opacity)
        for row in rows {
            let shares = coverage.shares(inRow: row, columns: columns)
            let clipShares = clip?.shares(inRow: row, columns: columns) ?? shares
            var place = row * self.width + columns.lowerBound
            for (share, clipShare) in zip(shares, clipShares) {
                let share = min(share, clipShare)
                if share > 0 {
                    self.pixels[place] = mixtures.index(over: self.pixels[place], share: share, in: &self.palette)
                }
                place += 1
            }
        }
    }

    /// The area of an outline in this picture, to paint within.
    func coverage(of outline: Outline) -> Coverage {
        Coverage(of: outline, width: self.width, height: self.height)
    }
}

/// What one color makes of every color below it, each mixture worked out once.
private struct Mixtures {
    let color: Color
    let opacity: Double
    /// By the color below and the coverage; -1 where it is not known yet.
    private var indices = [Int16](repeating: -1, count: 256 * (Int(Coverage.full) + 1))

    init(color: Color, opacity: Double) {
        self.color = color
        self.opacity = opacity
    }

    mutating func index(over below: UInt8, share: UInt8, in palette: inout Palette) -> UInt8 {
        let place = Int(below) * (Int(Coverage.full) + 1) + Int(share)
        if self.indices[place] >= 0 { return UInt8(self.indices[place]) }
        let covered = self.opacity * Double(share) / Double(Coverage.full)
        let index = palette.index(of: palette.colors[Int(below)].covered(by: self.color, share: covered))
        self.indices[place] = Int16(index)
        return index
    }
}
