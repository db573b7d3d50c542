/// Straight lines with cut corners: A to Z and 0 to 9.
enum BlockLetters {
    /// Center lines of strokes on a grid 6 wide and 8 high. Two digits are x and y. A bar separates strokes. A stroke
    /// that ends at its first point is closed.
    private static let strokes: [Character: String] = [
        "A": "08 02 20 40 62 68|15 55",
        "B": "00 50 61 63 54 65 67 58 08 00|14 44",
        "C": "62 61 50 20 02 06 28 58 67 66",
        "D": "00 40 62 66 48 08 00",
        "E": "60 00 08 68|14 54",
        "F": "60 00 08|14 54",
        "G": "62 61 50 20 02 06 28 58 67 65 45",
        "H": "00 08|60 68|14 54",
        "I": "10 50|18 58|31 37",
        "J": "60 66 48 28 06 05",
        "K": "00 08|60 61 34 14|34 67 68",
        "L": "00 08 68",
        "M": "08 00 10 34 50 60 68",
        "N": "08 00 10 58 68 60",
        "O": "20 40 62 66 48 28 06 02 20",
        "P": "08 00 40 62 63 45 15",
        "Q": "20 40 62 66 48 28 06 02 20|46 68",
        "R": "08 00 40 62 63 45 15|45 67 68",
        "S": "60 10 01 03 14 54 65 67 58 08",
        "T": "00 60|31 38",
        "U": "00 07 18 58 67 60",
        "V": "00 03 28 48 63 60",
        "W": "00 08 18 34 58 68 60",
        "X": "00 01 67 68|60 61 07 08",
        "Y": "00 02 24 44 62 60|35 38",
        "Z": "00 60 61 07 08 68",
        "0": "20 40 62 66 48 28 06 02 20",
        "1": "11 20 30 37|08 68",
        "2": "01 10 50 61 63 07 08 68",
        "3": "00 50 61 63 54 65 67 58 08|24 44",
        "4": "48 40 30 05 06 66",
        "5": "60 00 04 54 65 67 58 08",
        "6": "60 10 01 07 18 58 67 65 54 14",
        "7": "00 60 62 35 38",
        "8": "10 50 61 63 54 65 67 58 18 07 05 14 03 01 10|24 44",
        "9": "08 58 67 61 50 10 01 03 14 54",
    ]

    private static var advance: Double { 9 }

    /// The first characters of the first two words, without the text in brackets. "the", "of" and "and" count only if
    /// there are no other words. Other scripts may have no initials.
    static func initials(of name: String) -> [Character] {
        let words = name.prefix { $0 != "(" }.split { $0.isWhitespace || $0 == "-" || $0 == "." }
        let meaningful = words.filter { !["and", "of", "the"].contains($0.lowercased()) }
        let firsts = (meaningful.isEmpty ? words : meaningful).compactMap { word in
            word.uppercased().first { $0.isLetter || $0.isNumber }
        }
        return Array(firsts.filter { self.strokes[$0] != nil }.prefix(2))
    }

    /// Centered at the origin. Unknown characters are skipped. `weight` is the width of the lines, `border` the extra
    /// width on each side, in units of the grid.
    static func outline(
        of characters: [Character],
        width: Double,
        height: Double,
        weight: Double,
        border: Double = 0
    ) -> Outline {
        let strokes = characters.compactMap { self.strokes[$0] }
        let gridWidth = 6 + self.advance * Double(strokes.count - 1) + weight
        let scale = min(width / gridWidth, height / (8 + weight))
        let letters = strokes.enumerated().map { place, letter in
            let left = self.advance * (Double(place) - Double(strokes.count - 1) / 2) - 3
            return self.letter(letter, weight: weight + 2 * border).moved(by: Point(left, -4))
        }
        return letters.reduce(Outline([])) { $0 + $1 }.moved(by: .zero, scale: scale)
    }

    private static func letter(_ strokes: String, weight: Double) -> Outline {
        strokes.split(separator: "|").reduce(Outline([])) { letter, stroke in
            let path = stroke.split(separator: " ").map { point in
                let digits = point.utf8.map { Double($0) - 48 }
                return Point(digits[0], digits[1])
            }
            return letter + self.stroke(path, weight: weight)
        }
    }

    /// Open ends are longer by half the line's width, to fill the grid's corners.
    private static func stroke(_ path: [Point], weight: Double) -> Outline {
        guard path.count > 1, path.first != path.last else { return Outline(stroking: path, width: weight) }
        var path = path
        let (first, last) = (path[0], path[path.count - 1])
        let (start, end) = (first - path[1], last - path[path.count - 2])
        path[0] = first + start / start.length * weight / 2
        path[path.count - 1] = last + end / end.length * weight / 2
        return Outline(stroking: path, width: weight)
    }
}
