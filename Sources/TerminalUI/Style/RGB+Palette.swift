extension RGB {
    /// One of the 240 colors that are the same in every terminal; nil for an index below 16.
    init?(indexed index: UInt8) {
        switch index {
        case 0..<16: return nil
        case 16..<232:
            let place = Int(index) - 16
            self.init(RGB.cube[place / 36], RGB.cube[place / 6 % 6], RGB.cube[place % 6])
        default:
            let level = 8 + 10 * (index - 232)
            self.init(level, level, level)
        }
    }

    /// The index of the nearest of these 240 colors: a cube of 6 x 6 x 6, and 24 grays.
    var indexed: UInt8 {
        let parts = [red, green, blue].map { part in RGB.cube.indices.min { RGB.gap(part, $0) < RGB.gap(part, $1) } ?? 0
        }
        let inCube = RGB(RGB.cube[parts[0]], RGB.cube[parts[1]], RGB.cube[parts[2]])
        let gray = min(max((Int(red) + Int(green) + Int(blue)) / 3 - 3, 0) / 10, 23)
        let level = UInt8(8 + 10 * gray)
        if distance(to: RGB(level, level, level)) < distance(to: inCube) { return UInt8(232 + gray) }
        return UInt8(16 + 36 * parts[0] + 6 * parts[1] + parts[2])
    }

    /// The index of the nearest of the first 16 colors, with xterm's default values.
    var basic: UInt8 {
        let nearest = RGB.basic.indices.min { distance(to: RGB.basic[$0]) < distance(to: RGB.basic[$1]) }
        return UInt8(nearest ?? 7)
    }

    private func distance(to other: RGB) -> Int {
        let parts = [(red, other.red), (green, other.green), (blue, other.blue)]
        return parts.reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    }

    private static func gap(_ part: UInt8, _ index: Int) -> Int { abs(Int(part) - Int(cube[index])) }

    private static let cube: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static let basic = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { RGB(UInt32($0)) }
}
