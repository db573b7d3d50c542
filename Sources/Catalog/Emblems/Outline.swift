/// All contours have the same direction, and those of holes the opposite one.
struct Outline: Sendable {
    var contours: [[Point]]

    init(_ contours: [[Point]]) {
        self.contours = contours
    }

    func moved(by offset: Point, scale: Double = 1) -> Outline {
        Outline(self.contours.map { $0.map { $0 * scale + offset } })
    }

    var mirrored: Outline {
        Outline(self.contours.map { $0.reversed().map { Point(-$0.x, $0.y) } })
    }

    static func + (first: Outline, second: Outline) -> Outline {
        Outline(first.contours + second.contours)
    }
}

extension Outline {
    /// Draws mitered corners and straight ends. A path has two or more points, and no equal neighbors. It is closed if
    /// its last point is its first.
    init(stroking path: [Point], width: Double) {
        let isClosed = path.first == path.last
        let points = isClosed ? Array(path.dropLast()) : path
        let offsets = points.indices.map { index in
            let before = index > 0 ? points[index - 1] : isClosed ? points[points.count - 1] : nil
            let after = index + 1 < points.count ? points[index + 1] : isClosed ? points[0] : nil
            return Self.miter(from: before, at: points[index], to: after) * (width / 2)
        }
        let right = zip(points, offsets).map { $0 + $1 }
        let left = zip(points, offsets).map { $0 - $1 }
        self.init(isClosed ? [right, left.reversed()] : [right + left.reversed()])
    }

    /// For a line of width 2.
    private static func miter(from before: Point?, at corner: Point, to after: Point?) -> Point {
        let normals = [before.map { corner - $0 }, after.map { $0 - corner }].compactMap { way in
            way.map { ($0 / $0.length).turnedRight }
        }
        guard normals.count == 2 else { return normals.first ?? .zero }
        let sum = normals[0] + normals[1]
        // A sharp corner's tip would be far away. This limits it to three times the line's width.
        return sum * 2 / max((sum * sum).sum(), 0.44)
    }
}
