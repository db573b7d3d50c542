import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireMessages

struct NextPageTokenTests {
    @Test(arguments: ["dG9rZW4", ""])
    func theTokenIsTheMessages(_ token: String) {
        let page = SearchCharactersResponse(
            characters: [MarvelCharacter(id: 1, name: "Spider-Man")],
            total: 3,
            nextPageToken: token,
            favoriteIDs: [1],
            attribution: "Data provided by Marvel."
        )
        #expect(SearchCharactersResponse.nextPageToken(ofEncoded: page.encoded()) == token)
    }

    @Test(
        arguments: [
            [], [0x12], [0x12, 0x05, 0x01], [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x0B, 0x0C],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], [0x09, 0x00], [0x0D], [0xFF],
        ] as [[UInt8]]
    )
    func invalidBytesHoldNoMemory(_ bytes: [UInt8]) {
        let buffer = ByteBuffer(bytes: bytes)
        #expect(SearchCharactersResponse.nextPageToken(ofEncoded: buffer) == "")
    }
}
