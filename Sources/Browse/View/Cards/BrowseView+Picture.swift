internal import MarvelDomain
internal import TerminalUI

extension BrowseView {
    /// Draws the picture. While it is loading, draws a spinner. Without a picture, draws the initials of the name, with
    /// a sign if loading has failed.
    mutating func drawPicture(
        of character: MarvelCharacter,
        _ state: Pictures.State,
        _ size: PictureKey.Size,
        in area: Rectangle
    ) {
        switch state {
        case .image(let image):
            let id = PictureKey(character.id, size).imageID
            screen.place(image, id: id, in: area, fit: size == .card ? .cover : .contain)
        case .loading:
            screen.fill(area, style: Style(on: .muted))
            drawCentered([StyledText(Symbol.spinner(model.spinner ?? 0), Style(.muted, on: .muted))], in: area)
        case .none, .failed:
            screen.fill(area, style: Style(on: .muted))
            let initials = StyledText(character.initials, Style(on: .muted, .bold))
            let sign = StyledText(Symbol.failure, Style(.failure, on: .muted))
            drawCentered(state == .failed ? [initials, sign] : [initials], in: area)
        }
    }
}

extension PictureKey {
    /// The id of the picture, which is unique.
    fileprivate var imageID: Int { Int(truncatingIfNeeded: characterID) &* 2 &+ (size == .card ? 0 : 1) }
}

extension MarvelCharacter {
    /// The first letters of the first two words: `SM` for `Spider-Man (Peter Parker)`.
    var initials: String {
        let words = name.printable.split { !$0.isLetter && !$0.isNumber }
        let letters = words.prefix(2).compactMap(\.first)
        return letters.isEmpty ? String(name.printable.prefix(1)) : letters.map { $0.uppercased() }.joined()
    }
}
