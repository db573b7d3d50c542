/// What was made of images lately, so that scrolling does not make it again.
struct RenderedPictures<Value: Sendable>: Sendable {
    private var values: [PlacedPictureKey: (value: Value, lastUse: Int)] = [:]
    private var uses = 0

    /// More than a window shows of pictures that one wants to look at.
    private let maximumCount = 128

    subscript(key: PlacedPictureKey) -> Value? {
        mutating get {
            uses += 1
            values[key]?.lastUse = uses
            return values[key]?.value
        }
    }

    mutating func insert(_ value: Value, for key: PlacedPictureKey) {
        uses += 1
        values[key] = (value, uses)
    }

    /// Removes what was not used for longest, down to the maximum.
    ///
    /// - Parameter needed: These stay, however many there are.
    /// - Returns: What was removed.
    mutating func trim(keeping needed: Set<PlacedPictureKey>) -> [Value] {
        guard values.count > maximumCount else { return [] }
        let oldest = values.filter { !needed.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
        return oldest.prefix(values.count - maximumCount).compactMap { values.removeValue(forKey: $0.key)?.value }
    }
}
