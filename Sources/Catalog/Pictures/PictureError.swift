/// The reason why there is no picture. No text in here holds anything that a peer sent.
package enum PictureError: Error, Sendable, Hashable {
    /// The source has no picture of this character.
    case none
    /// The picture is larger than `Picture.maximumByteCount`, which counts as no picture.
    case tooLarge
    /// The picture is on a host that is not allowed.
    case hostNotAllowed
    /// The host responds, but with something that is not a usable picture; a retry gives the same result.
    case unusable(String)
    /// The request to the host failed.
    case upstream(SourceError)

    /// Whether a retry may succeed.
    package var isTransient: Bool {
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
