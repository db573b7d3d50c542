package struct PixelImage: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// Red, green, blue and opacity of each pixel, row by row.
    package let pixels: [UInt8]

    /// Nil if the number of bytes does not match the size, or a side is not within 1 to 16,384.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width <= 16_384, height <= 16_384, pixels.count == 4 * width * height
        else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

extension PixelImage {
    /// Keeps the aspect ratio; nil if a side is not within 1 to 16,384. Colors are weighted by opacity.
    package func fitted(to size: PixelSize, _ fit: PicturePlacement.Fit) -> PixelImage? {
        guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else { return nil }
        let horizontal = Double(size.width) / Double(width)
        let vertical = Double(size.height) / Double(height)
        switch fit {
        case .contain:
            let scale = min(horizontal, vertical)
            let inner = PixelSize(
                width: min(max(Int((Double(width) * scale).rounded()), 1), size.width),
                height: min(max(Int((Double(height) * scale).rounded()), 1), size.height)
            )
            return averaged(columns: 0..<Double(width), rows: 0..<Double(height), to: inner)?.centered(in: size)
        case .cover:
            let scale = max(horizontal, vertical)
            let seenWidth = min(Double(size.width) / scale, Double(width))
            let seenHeight = min(Double(size.height) / scale, Double(height))
            let left = (Double(width) - seenWidth) / 2
            let top = (Double(height) - seenHeight) / 2
            return averaged(columns: left..<left + seenWidth, rows: top..<top + seenHeight, to: size)
        }
    }

    var isOpaque: Bool { stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }

    private func averaged(columns: Range<Double>, rows: Range<Double>, to size: PixelSize) -> PixelImage? {
        let across = PixelSpan.spans(of: columns, count: size.width, limit: width)
        let down = PixelSpan.spans(of: rows, count: size.height, limit: height)
        var result: [UInt8] = []
        result.reserveCapacity(4 * size.width * size.height)
        for rows in down {
            for columns in across {
                appendMean(columns, rows, to: &result)
            }
        }
        return PixelImage(width: size.width, height: size.height, pixels: result)
    }

    private func appendMean(_ columns: PixelSpan, _ rows: PixelSpan, to result: inout [UInt8]) {
        var sums = SIMD4<Double>.zero
        var area = 0.0
        for row in rows.range {
            for column in columns.range {
                let weight = rows.weight(row) * columns.weight(column)
                let index = 4 * (row * width + column)
                let opacity = Double(pixels[index + 3]) * weight
                let color = SIMD4(Double(pixels[index]), Double(pixels[index + 1]), Double(pixels[index + 2]), 1)
                sums += color * opacity
                area += weight
            }
        }
        let scale = SIMD4(sums.w, sums.w, sums.w, area)
        let mean = sums.w > 0 ? (sums / scale).rounded(.toNearestOrAwayFromZero) : .zero
        for part in 0..<4 { result.append(UInt8(min(mean[part], 255))) }
    }

    private func centered(in size: PixelSize) -> PixelImage? {
        guard size.width != width || size.height != height else { return self }
        let left = (size.width - width) / 2
        let top = (size.height - height) / 2
        var result = Array(repeating: UInt8(0), count: 4 * size.width * size.height)
        for row in 0..<height {
            let start = 4 * ((top + row) * size.width + left)
            result.replaceSubrange(start..<start + 4 * width, with: pixels[4 * row * width..<4 * (row + 1) * width])
        }
        return PixelImage(width: size.width, height: size.height, pixels: result)
    }
}

private struct PixelSpan {
    let start: Double
    let end: Double
    let range: Range<Int>

    func weight(_ index: Int) -> Double {
        min(Double(index + 1), end) - max(Double(index), start)
    }

    static func spans(of line: Range<Double>, count: Int, limit: Int) -> [PixelSpan] {
        let step = (line.upperBound - line.lowerBound) / Double(count)
        return (0..<count).map { index in
            let start = line.lowerBound + Double(index) * step
            let end = min(start + step, Double(limit))
            let first = min(Int(start), limit - 1)
            return PixelSpan(start: start, end: end, range: first..<max(min(Int(end.rounded(.up)), limit), first + 1))
        }
    }
}
