/// At most 256 colors that stand for all those of a picture, found by median cut: the box of colors that matters most
/// is split at its middle, until there are enough boxes.
struct Palette {
    /// The mean color of each box.
    private(set) var colors: [RGB] = []
    /// By the five upper bits of each part of a color: the index of the box that it is in.
    private var indexes: [UInt8]

    private static let maximumColors = 256

    init(of image: PixelImage) {
        self.indexes = Array(repeating: 0, count: 1 << 15)
        var boxes = [Box(Palette.bins(of: image))]
        while boxes.count < Palette.maximumColors {
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

    func index(of color: RGB) -> Int { Int(indexes[Palette.key(color)]) }

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
        // In an order of their own: the same picture has the same palette every time.
        return bins.values.sorted { $0.key < $1.key }
    }
}

/// The pixels of nearly one color.
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

    /// Red, green or blue, from 0 to 31.
    func part(_ axis: Int) -> Int { key >> (10 - 5 * axis) & 31 }
}

/// Bins whose colors are near each other.
private struct Box {
    let bins: [Bin]
    /// Along which the colors differ most: 0 red, 1 green, 2 blue.
    private let axis: Int
    /// How much is gained by a split.
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

    /// Of a box of at least two bins: both halves have some.
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
