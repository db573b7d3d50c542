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
