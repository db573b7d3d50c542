internal import MarvelClient
internal import TerminalUI

/// The text of a saved picture.
struct PictureReport {
    var picture: CharacterPicture
    /// The requested variant.
    var asked: ImageVariant
    var file: String
    var style: ANSIStyle

    var lines: [String] {
        var lines = ["Saved \(file.printable): \(picture.mediaType.printable), \(picture.bytes.count) bytes."]
        if picture.variant != asked { lines.append("It is \(name): the requested variant was not available.") }
        if picture.isPlaceholder { lines.append("The source has no picture of this character; this is what it shows.") }
        return lines + Footer(attribution: picture.attribution, freshness: picture.freshness, style: style).lines
    }

    private var name: String {
        switch picture.variant {
        case .full: "the full picture"
        case let variant?: variant.rawValue
        case nil: "of another size"
        }
    }
}
