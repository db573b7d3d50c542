extension Outline {
    static func polygon(corners: Int, radius: Double = 1, turns: Double = 0) -> Outline {
        Outline([
            (0..<corners).map { corner in
                Point(turns: Double(corner) / Double(corners) + turns - 0.25) * radius
            }
        ])
    }

    static func circle(radius: Double = 1) -> Outline {
        .polygon(corners: 96, radius: radius)
    }

    static func ring(radius: Double, width: Double) -> Outline {
        let path = Outline.circle(radius: radius).contours[0]
        return Outline(stroking: path + path.prefix(1), width: width)
    }

    static func star(points: Int, radius: Double = 1, innerRadius: Double) -> Outline {
        Outline([
            (0..<2 * points).map { corner in
                let length = corner.isMultiple(of: 2) ? radius : innerRadius
                return Point(turns: Double(corner) / Double(2 * points) - 0.25) * length
            }
        ])
    }

    static func rectangle(left: Double, top: Double, right: Double, bottom: Double) -> Outline {
        Outline([[Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]])
    }

    static func shield(dip: Double) -> Outline {
        let curve = (0...24).map { step in
            let point = Point(turns: Double(step) / 96)
            return Point(0.84 * point.x, 0.02 + 0.98 * point.y)
        }
        let right = [Point(0, dip - 0.9), Point(0.84, -0.9)] + curve
        let left = right.dropFirst().dropLast().reversed().map { Point(-$0.x, $0.y) }
        return Outline([right + left])
    }

    static func wing(feathers: Int) -> Outline {
        Outline(
            (0..<feathers).map { feather in
                let rank = Double(feather) / Double(feathers)
                let way = Point(turns: 0.06 * rank - 0.055)
                let start = Point(0.2, 0.62 * rank - 0.36)
                let tip = start + way * (1.3 - 0.5 * rank)
                let side = way.turnedRight * 0.075
                return [start - side, tip - way * 0.06 - side, tip + side * 0.2, tip - way * 0.16 + side, start + side]
            }
        )
    }

    static let bolt = Outline([
        [
            Point(0.28, -1.1), Point(-0.52, 0.14), Point(-0.06, 0.14), Point(-0.34, 1.1), Point(0.54, -0.24),
            Point(0.06, -0.24),
        ]
    ])

    static func chevron(y: Double, width: Double) -> Outline {
        Outline(stroking: [Point(-1.2, y + 0.75), Point(0, y), Point(1.2, y + 0.75)], width: width)
    }

    /// The beams are as wide as the gaps between them.
    static func rays(_ count: Int, radius: Double, turns: Double = 0) -> Outline {
        let half = 0.25 / Double(count)
        return Outline(
            (0..<count).map { ray in
                let middle = Double(ray) / Double(count) + turns - 0.25
                return [.zero, Point(turns: middle - half) * radius, Point(turns: middle + half) * radius]
            }
        )
    }
}
