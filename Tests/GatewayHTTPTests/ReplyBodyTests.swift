import MarvelAPI
import MarvelDomain
import Testing

@testable import GatewayHTTP

@Suite struct ReplyBodyTests {
    private let links = ReplyLinks(ownOrigin: "http://gateway.test:6163", publicKey: "PUBLIC KEY")

    @Test func anAnswerIsCompactWithItsKeysInTheOrderOfTheContract() {
        let character = MarvelCharacter(
            id: 1_900_001,
            name: "Sample (Éxample) \"№1\" a/b",
            description: "One\r\ntwo\t\\",
            modified: Timestamp(seconds: 1_398_795_497),
            thumbnail: Thumbnail(
                path: "http://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available",
                fileExtension: "jpg"
            ),
            comicCount: 1,
            seriesCount: 2,
            storyCount: 3,
            eventCount: 4,
            urls: [
                CharacterURL(type: "detail", url: "http://marvel.com/1"),
                CharacterURL(type: "wiki", url: "http://w/?a=b"),
            ]
        )
        let body = ReplyBody(
            ResultPage(total: 7, characters: [character]),
            offset: 3,
            limit: 20,
            year: 2025,
            links: links
        )
        let resource = "http://gateway.marvel.com/v1/public/characters/1900001"
        func list(_ name: String, _ available: Int) -> String {
            #""\#(name)":{"available":\#(available),"collectionURI":"\#(resource)/\#(name)","items":[],"returned":0}"#
        }
        let expected =
            #"{"code":200,"status":"Ok","copyright":"© 2025 MARVEL","#
            + #""attributionText":"Data provided by Marvel. © 2025 MARVEL","#
            + #""attributionHTML":"<a href=\"http://marvel.com\">Data provided by Marvel. © 2025 MARVEL</a>","#
            + #""etag":"\#(body.etag)","data":{"offset":3,"limit":20,"total":7,"count":1,"results":[{"id":1900001,"#
            + #""name":"Sample (Éxample) \"№1\" a/b","description":"One\r\ntwo\t\\","modified":"2014-04-29T14:18:17-0400","#
            + #""thumbnail":{"path":"http://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available","extension":"jpg"},"#
            + #""resourceURI":"\#(resource)","# + list("comics", 1) + "," + list("series", 2) + "," + list("stories", 3)
            + "," + list("events", 4) + ","
            + #""urls":[{"type":"detail","url":"http://marvel.com/1?utm_campaign=apiRef&utm_source=PUBLIC%20KEY"},"#
            + #"{"type":"wiki","url":"http://w/?a=b&utm_campaign=apiRef&utm_source=PUBLIC%20KEY"}]}]}}"#
        #expect(String(decoding: body.bytes, as: UTF8.self) == expected)
    }

    /// The digest was computed with another program: `printf '{"offset":0,...}' | sha1sum`.
    @Test func theTagIsTheDigestOfTheDataAsSent() {
        let body = ReplyBody(ResultPage(total: 0, characters: []), offset: 0, limit: 20, year: 2025, links: links)
        #expect(body.etag == "2cdd3e75e518fa0f6a343b4b87b9690fc4cafa75")
        #expect(
            String(decoding: body.bytes, as: UTF8.self).hasSuffix(
                #""data":{"offset":0,"limit":20,"total":0,"count":0,"results":[]}}"#
            )
        )
    }

    @Test func thePictureOfACharacterWithoutAnAddressOfItsOwnIsOurs() {
        for thumbnail in [nil, Thumbnail(path: "emblem/5", fileExtension: "png")] {
            let shown = links.thumbnail(MarvelCharacter(id: 5, name: "a", thumbnail: thumbnail))
            #expect(shown == Thumbnail(path: "http://gateway.test:6163/emblem/5", fileExtension: "png"))
        }
    }
}
