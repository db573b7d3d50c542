struct RGBColor: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

extension RGBColor {
    init(lightness: Double, chroma: Double, hue: Double) {
        let direction = Point(turns: hue)
        let (a, b) = (chroma * direction.x, chroma * direction.y)
        let long = Self.cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b)
        let medium = Self.cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b)
        let short = Self.cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b)
        self.red = Self.channel(4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short)
        self.green = Self.channel(-1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short)
        self.blue = Self.channel(-0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short)
    }

    private static func cube(_ value: Double) -> Double { value * value * value }

    /// The square root is a gamma of 2, near sRGB's 2.2. Unlike a power, it gives the same result on every machine.
    private static func channel(_ linear: Double) -> UInt8 {
        UInt8((255 * min(max(linear, 0), 1).squareRoot()).rounded())
    }

    /// `share` is the opacity of `other`, 0 to 1.
    func covered(by other: RGBColor, share: Double) -> RGBColor {
        func mix(_ under: UInt8, _ over: UInt8) -> UInt8 {
            let difference = Double(over) - Double(under)
            return UInt8((Double(under) + share * difference).rounded())
        }
        return RGBColor(
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue)
        )
    }

    func squaredDistance(to other: RGBColor) -> Int {
        let red = Int(self.red) - Int(other.red)
        let green = Int(self.green) - Int(other.green)
        let blue = Int(self.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}

struct EmblemPalette {
    private(set) var colors: [RGBColor] = []

    /// Adds the color if no color looks the same. A full palette returns the nearest color.
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

    /// A squared distance. It grows as the palette fills.
    private var tolerance: Int {
        switch self.colors.count {
        case ..<128: 6
        case ..<192: 24
        default: 96
        }
    }
}
