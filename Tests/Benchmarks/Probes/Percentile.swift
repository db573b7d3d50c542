extension [Double] {
    /// The least value that so many of a hundred are not above; of none, not a number.
    func percentile(_ percent: Int) -> Double {
        guard !isEmpty else { return .nan }
        return sorted()[(count * percent + 99) / 100 - 1]
    }
}
