package import MarvelDomain
package import NIOCore

extension MarvelCharacter {
    package func encodedWireForm() -> ByteBuffer { packed() }

    /// - Throws: `WireError`, like every message.
    package init(decodingWireForm bytes: ByteBuffer, limit: DecodingLimit = .response) throws(WireError) {
        try self.init(unpackingReadableBytesOf: bytes, name: "marvel.v1.Character", limit: limit)
    }
}
