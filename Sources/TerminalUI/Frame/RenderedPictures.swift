internal import MarvelDomain

/// A cache of rendered images, so that scrolling does not render them again.
struct RenderedPictures<Value: Sendable>: Sendable {
    private var values = LeastRecentlyUsed<PlacedPictureKey, Value>()

    /// More than a window shows of pictures of a useful size.
    private let maximumCount = 128

    subscript(key: PlacedPictureKey) -> Value? {
        mutating get { values.use(key) }
    }

    mutating func insert(_ value: Value, for key: PlacedPictureKey) { values.keep(value, for: key) }

    /// Evicts the least recently used entries, down to the maximum, but never those in `needed`.
    mutating func trim(keeping needed: Set<PlacedPictureKey>) -> [Value] {
        var evicted: [Value] = []
        while values.count > maximumCount, let oldest = values.evict(sparing: needed) { evicted.append(oldest.value) }
        return evicted
    }
}

/// The cache key of an image for one size and fit.
struct PlacedPictureKey: Hashable, Sendable {
    private let id: Int
    private let fit: PicturePlacement.Fit
    private let columns: Int
    private let rows: Int

    init(_ placement: PicturePlacement) {
        self.id = placement.id
        self.fit = placement.fit
        self.columns = placement.rectangle.width
        self.rows = placement.rectangle.height
    }
}
