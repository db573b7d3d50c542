package import NIOCore

/// `marvel.v1.Picture`, as it came: the service judges what it is.
package struct PictureUpload: Sendable, Hashable {
    package var data: ByteBuffer
    /// Empty: whatever `data` is.
    package var mediaType: String

    package init(data: ByteBuffer, mediaType: String = "") {
        self.data = data
        self.mediaType = mediaType
    }
}
