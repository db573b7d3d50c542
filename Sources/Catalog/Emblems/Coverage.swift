struct Coverage {
    let rows: Range<Int>
    let columns: Range<Int>
    private var shares: [UInt8]

    /// A few steps make smooth edges and keep the file small.
    static var full: UInt8 { 6 }
    /// The samples per pixel row. From left to right the coverage is exact.
    private static var samples: Int { 4 }

    /// Each share is 0 to `full`.
    func shares(inRow row: Int, columns: Range<Int>) -> ArraySlice<UInt8> {
        let start = (row - self.rows.lowerBound) * self.columns.count - self.columns.lowerBound
        return self.shares[start + columns.lowerBound..<start + columns.upperBound]
    }

    /// All sizes are in pixels.
    init(of outline: Outline, width: Int, height: Int) {
        let points = outline.contours.joined()
        self.rows = Self.range(of: points.map(\.y), limit: height)
        self.columns = Self.range(of: points.map(\.x), limit: width)
        let (rowCount, columnCount) = (self.rows.count, self.columns.count)
        self.shares = []
        let changes = self.changes(of: outline)
        self.shares = [UInt8](unsafeUninitializedCapacity: rowCount * columnCount) { shares, count in
            count = rowCount * columnCount
            for row in 0..<rowCount {
                var sum: Float = 0
                var share: UInt8 = 0
                for column in 0..<columnCount {
                    let change = changes[row * (columnCount + 2) + column]
                    if change != 0 {
                        sum += change
                        share = UInt8(min(abs(sum), 1) * Float(Self.full) + 0.5)
                    }
                    shares[row * columnCount + column] = share
                }
            }
        }
    }

    private static func range(of values: [Double], limit: Int) -> Range<Int> {
        guard let least = values.min(), let greatest = values.max() else { return 0..<0 }
        let low = Int(min(max(least.rounded(.down), 0), Double(limit)))
        let high = Int(min(max(greatest.rounded(.up), 0), Double(limit)))
        return low..<high
    }

    /// The difference between the share of each pixel and that of its left neighbor. The running sum is the winding
    /// number. Each row has two extra entries, for edges to the right of the last pixel.
    private func changes(of outline: Outline) -> [Float] {
        let stride = self.columns.count + 2
        var changes = [Float](repeating: 0, count: stride * self.rows.count)
        for contour in outline.contours {
            guard var start = contour.last else { continue }
            for end in contour {
                self.add(edgeFrom: start, to: end, to: &changes, stride: stride)
                start = end
            }
        }
        return changes
    }

    private func add(edgeFrom start: Point, to end: Point, to changes: inout [Float], stride: Int) {
        let (top, bottom) = start.y < end.y ? (start, end) : (end, start)
        let weight: Float = (start.y < end.y ? 1 : -1) / Float(Self.samples)
        let density = Double(Self.samples)
        let origin = Double(self.rows.lowerBound)
        let first = max(0, Int(((top.y - origin) * density + 0.5).rounded(.down)))
        let last = min(self.rows.count * Self.samples, Int(((bottom.y - origin) * density + 0.5).rounded(.down)))
        guard first < last else { return }
        let slope = (bottom.x - top.x) / (bottom.y - top.y)
        for sample in first..<last {
            let y = origin + (Double(sample) + 0.5) / density
            let x = top.x + (y - top.y) * slope - Double(self.columns.lowerBound)
            let inside = Float(min(max(x, 0), Double(self.columns.count)))
            let column = Int(inside)
            let right = weight * (inside - Float(column))
            let place = sample / Self.samples * stride + column
            changes[place] += weight - right
            changes[place + 1] += right
        }
    }
}
