extension Timeline {
    /// One interval of a run, for curves and tables.
    package struct Point: Sendable {
        /// The start of the interval, after the start of the run.
        package var start: Nanoseconds
        package var length: Nanoseconds
        package var interval: Interval

        package var middle: Double { (start + length / 2).inSeconds }

        package func perSecond(_ count: Int) -> Double {
            length > 0 ? Double(count) / length.inSeconds : 0
        }
    }

    /// Returns the intervals of a run that took `elapsed`. A last interval that is shorter than half an interval is
    /// merged with the one before, because a rate over so short a time means nothing.
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
