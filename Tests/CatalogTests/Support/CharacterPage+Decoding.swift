import Catalog
import MarvelDomain
import NIOCore
import RPCCore
import WireMessages

extension CharacterPage {
    /// The page's characters, as a client would read them.
    var characters: [MarvelCharacter] {
        get throws {
            var bytes = ByteBuffer()
            bytes.write(byteCount: encodedByteCount) { writeEncoded(to: &$0) }
            return try SearchCharactersResponse(decoding: bytes, limit: .response).characters
        }
    }
}

extension Lookup {
    /// The answer, whether it is there or has to be fetched.
    var value: Value {
        get async throws(CatalogError) {
            switch self {
            case .ready(let value): value
            case .later(let fetch): try await fetch()
            }
        }
    }
}
