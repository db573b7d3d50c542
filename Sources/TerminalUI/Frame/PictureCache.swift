/// Names what becomes of an image in one place.
struct PictureKey: Hashable, Sendable {
    private let id: Int
    private let fit: PicturePlacement.Fit
    /// Of the place, in cells.
    private let columns: Int
    private let rows: Int

    init(_ placement: PicturePlacement) {
        self.id = placement.id
        self.fit = placement.fit
        self.columns = placement.rectangle.width
        self.rows = placement.rectangle.height
    }
}

/// What was made of images lately, so that scrolling does not make it again.
struct PictureCache<Value: Sendable>: Sendable {
    private var values: [PictureKey: (value: Value, lastUse: Int)] = [:]
    private var uses = 0

    /// More than a window shows of pictures that one wants to look at.
    private let maximumCount = 128

    subscript(key: PictureKey) -> Value? {
        mutating get {
            uses += 1
            values[key]?.lastUse = uses
            return values[key]?.value
        }
    }

    mutating func insert(_ value: Value, for key: PictureKey) {
        uses += 1
        values[key] = (value, uses)
    }

    /// Removes what was not used for longest, down to the maximum.
    ///
    /// - Parameter needed: These stay, however many there are.
    /// - Returns: What was removed.
    mutating func trim(keeping needed: Set<PictureKey>) -> [Value] {
        guard values.count > maximumCount else { return [] }
        let oldest = values.filter { !needed.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
        return oldest.prefix(values.count - maximumCount).compactMap { values.removeValue(forKey: $0.key)?.value }
    }
}
