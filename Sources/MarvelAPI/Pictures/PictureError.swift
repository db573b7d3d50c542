/// Why there is no picture. No text in here holds anything that a peer sent.
package enum PictureError: Error, Sendable, Hashable {
    /// The source has none of this character.
    case none
    /// Larger than `Picture.maximumByteCount`, which counts as none.
    case tooLarge
    /// It is where this server fetches nothing from.
    case hostNotAllowed
    /// Its host answers, but with something that is no picture to this server, and will again.
    case unusable(String)
    /// Its host did not give it.
    case upstream(MarvelAPIError)

    /// Whether asking again soon may help.
    package var mayPass: Bool {
        if case .upstream = self { true } else { false }
    }
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "there is no picture"
        case .tooLarge: "the picture is larger than 3 MiB"
        case .hostNotAllowed: "the picture is on a host that this server fetches none from"
        case .unusable(let reason): "the picture cannot be used: \(reason)"
        case .upstream(let error): error.text(about: .pictureHost)
        }
    }
}
