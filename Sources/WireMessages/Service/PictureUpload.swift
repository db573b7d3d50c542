package import NIOCore

/// The message `marvel.v1.Picture`, unchecked: the service validates it.
package struct PictureUpload: Sendable, Hashable {
    package var data: ByteBuffer
    /// The media type; empty means that `data` decides.
    package var mediaType: String

    package init(data: ByteBuffer, mediaType: String = "") {
        self.data = data
        self.mediaType = mediaType
    }
}
