/// A color as a picture stores it, in sRGB.
struct Color: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
}

extension Color {
    /// The color of these coordinates in OKLCH, where equal steps look equal to the eye for every hue.
    ///
    /// What a screen cannot show is cut off per channel, which shifts the most saturated colors a little.
    ///
    /// - Parameters:
    ///   - lightness: 0 is black, 1 white.
    ///   - chroma: 0 is gray, 0.3 about as vivid as a screen can be.
    ///   - hue: In turns: 0.08 red, 0.3 yellow-green, 0.73 blue.
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

    /// The gamma of sRGB is near 2.2; the square root makes it 2 and, unlike a power, is in the standard library and
    /// exact on every machine.
    private static func channel(_ linear: Double) -> UInt8 {
        UInt8((255 * min(max(linear, 0), 1).squareRoot()).rounded())
    }

    /// This color covered by another.
    ///
    /// - Parameters:
    ///   - other: The color on top.
    ///   - share: How much of it shows: 0 none, 1 all.
    /// - Returns: What is seen.
    func covered(by other: Color, share: Double) -> Color {
        func mix(_ under: UInt8, _ over: UInt8) -> UInt8 {
            UInt8((Double(under) + share * (Double(over) - Double(under))).rounded())
        }
        return Color(
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue)
        )
    }

    /// The square of the distance to another color, each channel from 0 to 255.
    func squaredDistance(to other: Color) -> Int {
        let red = Int(self.red) - Int(other.red)
        let green = Int(self.green) - Int(other.green)
        let blue = Int(self.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
    }
}
