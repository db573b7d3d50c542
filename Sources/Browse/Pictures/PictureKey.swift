/// A picture that can be shown.
package struct PictureKey: Sendable, Hashable {
    /// How large it is shown.
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
