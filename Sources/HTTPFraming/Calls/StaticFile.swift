package import NIOCore

/// A file that a GET of its path is answered with, without a call and without a token.
package struct StaticFile: Sendable {
    /// The path from the root: `/client.js`.
    package let path: String
    package let mediaType: String
    package let bytes: ByteBuffer
    /// The entity tag, without quotes.
    package let tag: String
    /// Further headers, with lowercase names. An answer with the tag alone has them too.
    package let headers: KeyValuePairs<String, String>

    /// Makes a file. Without a tag, it has one that is made of its bytes.
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
