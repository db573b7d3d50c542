/// A palette of at most 256 colors that approximates the colors of a picture by median cut: the most important box of
/// colors is split at its median, until there are enough boxes.
struct MedianCutPalette {
    /// The mean color of each box.
    private(set) var colors: [RGB] = []
    /// The index of the box for each color. The five upper bits of each color component form the key.
    private var indexes: [UInt8]

    private static let maximumColors = 256

    init(of image: PixelImage) {
        self.indexes = Array(repeating: 0, count: 1 << 15)
        var boxes = [Box(MedianCutPalette.bins(of: image))]
        while boxes.count < MedianCutPalette.maximumColors {
            let splittable = boxes.indices.filter { boxes[$0].bins.count > 1 }
            guard let next = splittable.max(by: { boxes[$0].importance < boxes[$1].importance }) else { break }
            let halves = boxes[next].split()
            boxes[next] = halves.lower
            boxes.append(halves.upper)
        }
        for box in boxes where !box.bins.isEmpty {
            for bin in box.bins { indexes[bin.key] = UInt8(colors.count) }
            colors.append(box.mean)
        }
    }

    func index(of color: RGB) -> Int { Int(indexes[MedianCutPalette.key(color)]) }

    private static func key(_ color: RGB) -> Int {
        (Int(color.red) >> 3) << 10 | (Int(color.green) >> 3) << 5 | Int(color.blue) >> 3
    }

    private static func bins(of image: PixelImage) -> [Bin] {
        var bins: [Int: Bin] = [:]
        for place in stride(from: 0, to: image.pixels.count, by: 4) where image.pixels[place + 3] >= 128 {
            let color = RGB(image.pixels[place], image.pixels[place + 1], image.pixels[place + 2])
            let key = key(color)
            bins[key, default: Bin(key: key)].add(color)
        }
        // Sorted, so that the same picture has the same palette every time.
        return bins.values.sorted { $0.key < $1.key }
    }
}

/// A bin of pixels with nearly the same color.
private struct Bin {
    let key: Int
    private(set) var count = 0
    private(set) var sums = SIMD3<Int>.zero

    init(key: Int) {
        self.key = key
    }

    mutating func add(_ color: RGB) {
        count += 1
        sums &+= SIMD3(Int(color.red), Int(color.green), Int(color.blue))
    }

    /// Returns the red, green or blue component, from 0 to 31.
    func part(_ axis: Int) -> Int { key >> (10 - 5 * axis) & 31 }
}

/// A box of bins whose colors are near each other.
private struct Box {
    let bins: [Bin]
    /// The component in which the colors differ most: 0 red, 1 green, 2 blue.
    private let axis: Int
    /// The benefit of a split: the range along `axis` times the number of pixels.
    let importance: Int

    init(_ bins: [Bin]) {
        self.bins = bins
        let lengths = (0..<3).map { axis in
            let parts = bins.map { $0.part(axis) }
            return (parts.max() ?? 0) - (parts.min() ?? 0)
        }
        self.axis = lengths.indices.max { lengths[$0] < lengths[$1] } ?? 0
        self.importance = (lengths.max() ?? 0) * bins.reduce(0) { $0 + $1.count }
    }

    /// Splits a box of at least two bins at its median. Each half has at least one bin.
    func split() -> (lower: Box, upper: Box) {
        let sorted = bins.sorted { ($0.part(axis), $0.key) < ($1.part(axis), $1.key) }
        let half = sorted.reduce(0) { $0 + $1.count } / 2
        var count = 0
        var middle = 0
        while middle < sorted.count - 1, count < half || middle == 0 {
            count += sorted[middle].count
            middle += 1
        }
        return (Box(Array(sorted[..<middle])), Box(Array(sorted[middle...])))
    }

    var mean: RGB {
        let count = max(bins.reduce(0) { $0 + $1.count }, 1)
        let sums = bins.reduce(SIMD3<Int>.zero) { $0 &+ $1.sums }
        func part(_ axis: Int) -> UInt8 { UInt8(clamping: (sums[axis] + count / 2) / count) }
        return RGB(part(0), part(1), part(2))
    }
}
