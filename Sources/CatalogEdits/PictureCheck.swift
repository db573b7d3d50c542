package import MarvelDomain

/// A check that the bytes of a picture can be decoded and shown.
///
/// The program supplies the implementation, because this library does not link libraries that decode pictures.
package protocol PictureCheck: Sendable {
    /// Decodes a picture.
    ///
    /// - Returns: The reason why it cannot be shown, as a message for its sender; nil if it can.
    func problem(with picture: Picture) async -> String?
}
