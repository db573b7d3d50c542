/// The key of a picture: a character and a size.
package struct PictureKey: Sendable, Hashable {
    /// The size at which a picture is shown.
    package enum Size: Sendable, Hashable {
        case card
        case detail
    }

    package var characterID: Int64
    package var size: Size

    package init(_ characterID: Int64, _ size: Size) {
        self.characterID = characterID
        self.size = size
    }
}
