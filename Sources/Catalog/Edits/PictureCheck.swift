package import MarvelDomain

/// A check that the bytes of a picture are a whole picture, which others can show.
///
/// A program brings it along: the libraries that decode pictures belong to an edge.
package protocol PictureCheck: Sendable {
    /// Decodes a picture.
    ///
    /// - Returns: Why it cannot be shown, for whoever sent it; nil if it can.
    func problem(with picture: Picture) async -> String?
}
