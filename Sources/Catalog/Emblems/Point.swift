typealias Point = SIMD2<Double>

extension Point {
    /// A point on the unit circle, in turns: 0 is to the right, a quarter is below. It has the same bits on every
    /// machine.
    init(turns: Double) {
        let quarters = 4 * (turns - turns.rounded(.down))
        let quarter = quarters.rounded(.down)
        let angle = (quarters - quarter) * Double.pi / 2
        let square = angle * angle
        // The Taylor series in Horner's form: good to seven digits within a quarter turn.
        let sine = angle * Self.series(square, divisors: [110, 72, 42, 20, 6])
        let cosine = Self.series(square, divisors: [90, 56, 30, 12, 2])
        switch quarter {
        case 1: self.init(-sine, cosine)
        case 2: self.init(-cosine, -sine)
        case 3: self.init(sine, -cosine)
        default: self.init(cosine, sine)
        }
    }

    private static func series(_ square: Double, divisors: [Double]) -> Double {
        divisors.reduce(1) { 1 - square / $1 * $0 }
    }

    var length: Double { (self * self).sum().squareRoot() }

    var turnedRight: Point { Point(-self.y, self.x) }
}
