package import NIOCore

/// A file for a GET of its path, without a call and without a token.
package struct StaticFile: Sendable {
    /// From the root: `/client.js`.
    package let path: String
    package let mediaType: String
    package let bytes: ByteBuffer
    /// Without quotes.
    package let tag: String
    /// Further headers, with lowercase names. An answer with only the tag has them too.
    package let headers: KeyValuePairs<String, String>

    /// The default tag is made of the bytes.
    package init(
        path: String,
        mediaType: String,
        bytes: ByteBuffer,
        tag: String? = nil,
        headers: KeyValuePairs<String, String>
    ) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
        self.tag = tag ?? bytes.entityTag
        self.headers = headers
    }
}
