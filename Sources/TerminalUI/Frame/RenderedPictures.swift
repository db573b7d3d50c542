/// A least-recently-used cache of rendered images, so that scrolling does not render them again.
struct RenderedPictures<Value: Sendable>: Sendable {
    private var values: [PlacedPictureKey: (value: Value, lastUse: Int)] = [:]
    private var uses = 0

    /// The maximum of cached images: more than a window shows of pictures of a useful size.
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

    /// Evicts the least recently used entries, down to the maximum.
    ///
    /// - Parameter needed: The entries to keep, even if there are more of them than the maximum.
    /// - Returns: The evicted values.
    mutating func trim(keeping needed: Set<PlacedPictureKey>) -> [Value] {
        guard values.count > maximumCount else { return [] }
        let oldest = values.filter { !needed.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
        return oldest.prefix(values.count - maximumCount).compactMap { values.removeValue(forKey: $0.key)?.value }
    }
}

/// The cache key of an image that is rendered for one size and fit.
struct PlacedPictureKey: Hashable, Sendable {
    private let id: Int
    private let fit: PicturePlacement.Fit
    /// The width in cells.
    private let columns: Int
    /// The height in cells.
    private let rows: Int

    init(_ placement: PicturePlacement) {
        self.id = placement.id
        self.fit = placement.fit
        self.columns = placement.rectangle.width
        self.rows = placement.rectangle.height
    }
}
