extension Timeline {
    /// One interval of a run, as curves and tables have it.
    package struct Point: Sendable {
        /// When it begins, after the start.
        package var start: Nanoseconds
        package var length: Nanoseconds
        package var interval: Interval

        package var middle: Double { (start + length / 2).inSeconds }

        package func perSecond(_ count: Int) -> Double {
            length > 0 ? Double(count) / length.inSeconds : 0
        }
    }

    /// The intervals of a run that took `elapsed`. What is left at its end belongs to the interval before if it is
    /// shorter than half of one: a rate over a moment means nothing.
    package func points(elapsed: Nanoseconds) -> [Point] {
        var points: [Point] = []
        for (index, interval) in intervals.enumerated() {
            let start = Nanoseconds(index) * self.interval
            let length = min(self.interval, max(0, elapsed - start))
            if length < self.interval / 2, let last = points.indices.last {
                points[last].length += length
                points[last].interval.merge(interval)
            } else {
                points.append(Point(start: start, length: length, interval: interval))
            }
        }
        return points
    }
}
