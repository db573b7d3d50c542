/// Names what becomes of an image in one place.
struct PlacedPictureKey: Hashable, Sendable {
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
