package import Catalog
package import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

extension CharacterPage {
    /// The page's characters, as a client would read them.
    package var characters: [MarvelCharacter] {
        get throws {
            var bytes = ByteBuffer()
            bytes.write(byteCount: encoded.byteCount) { encoded.write(to: &$0) }
            return try SearchCharactersResponse(decoding: bytes, limit: .response).characters
        }
    }
}
