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

extension SuggestedNames {
    /// The suggestions, as a client would read them.
    package var suggestions: [NameSuggestion] {
        get throws {
            var bytes = ByteBuffer()
            bytes.write(byteCount: byteCount) { write(to: &$0) }
            let names = try SuggestNamesResponse(decoding: bytes, limit: .response).names
            let matches = [(Match.prefix, counts.prefix), (.wordPrefix, counts.wordPrefix), (.fuzzy, counts.fuzzy)]
            return zip(names, matches.flatMap { repeatElement($0, count: $1) }).map { NameSuggestion($0, match: $1) }
        }
    }
}
