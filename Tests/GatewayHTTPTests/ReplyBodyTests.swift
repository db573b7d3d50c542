import MarvelDomain
import Testing
import Upstream

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
        let lists: [ResourceKind: ResourceList] = [
            .comics: ResourceList(available: 2, items: [ResourceSummary(id: ResourceID(.comics, 5), name: "A \"b\"")]),
            .stories: ResourceList(available: 1, items: [ResourceSummary(id: ResourceID(.stories, 6), name: "C")]),
        ]
        let body = ReplyBody(
            ReplyPage(total: 7, results: [character.json(links, lists: lists)]),
            offset: 3,
            limit: 20,
            year: 2025
        )
        let root = "http://gateway.marvel.com/v1/public"
        let resource = "http://gateway.marvel.com/v1/public/characters/1900001"
        func list(_ name: String, _ available: Int, _ items: String = "") -> String {
            #""\#(name)":{"available":\#(available),"collectionURI":"\#(resource)/\#(name)","items":[\#(items)],"#
                + #""returned":\#(items.isEmpty ? 0 : 1)}"#
        }
        let expected =
            #"{"code":200,"status":"Ok","copyright":"© 2025 MARVEL","#
            + #""attributionText":"Data provided by Marvel. © 2025 MARVEL","#
            + #""attributionHTML":"<a href=\"http://marvel.com\">Data provided by Marvel. © 2025 MARVEL</a>","#
            + #""etag":"\#(body.etag)","data":{"offset":3,"limit":20,"total":7,"count":1,"results":[{"id":1900001,"#
            + #""name":"Sample (Éxample) \"№1\" a/b","description":"One\r\ntwo\t\\","modified":"2014-04-29T14:18:17-0400","#
            + #""thumbnail":{"path":"http://i.annihil.us/u/prod/marvel/i/mg/b/40/image_not_available","extension":"jpg"},"#
            + #""resourceURI":"\#(resource)","#
            + list("comics", 2, #"{"resourceURI":"\#(root)/comics/5","name":"A \"b\""}"#) + "," + list("series", 2)
            + "," + list("stories", 3, #"{"resourceURI":"\#(root)/stories/6","name":"C","type":""}"#)
            + "," + list("events", 4) + ","
            + #""urls":[{"type":"detail","url":"http://marvel.com/1?utm_campaign=apiRef&utm_source=PUBLIC%20KEY"},"#
            + #"{"type":"wiki","url":"http://w/?a=b&utm_campaign=apiRef&utm_source=PUBLIC%20KEY"},"#
            + #"{"type":"comiclink","url":"http://marvel.com/comics/characters/1900001/sample_xample_1_a_b"#
            + #"?utm_campaign=apiRef&utm_source=PUBLIC%20KEY"}]}]}}"#
        #expect(String(decoding: body.bytes, as: UTF8.self) == expected)
    }

    /// The digest was computed with another program: `printf '{"offset":0,...}' | sha1sum`.
    @Test func theTagIsTheDigestOfTheDataAsSent() {
        let body = ReplyBody(ReplyPage(total: 0, results: []), offset: 0, limit: 20, year: 2025)
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

    @Test func theAttributionOfACatalogIsEscapedForHTML() {
        let page = ReplyPage(total: 0, results: [])
        let body = ReplyBody(page, offset: 0, limit: 20, year: 2025, attribution: "A & <b>")
        let text = String(decoding: body.bytes, as: UTF8.self)
        #expect(text.contains(#""attributionText":"A & <b>","#))
        #expect(text.contains(#"\">A &amp; &lt;b></a>","#))
    }

    @Test func aCharacterHasTheTwoLinksThatOldAppsReadUnseen() {
        func types(_ urls: [CharacterURL]) -> [String] {
            links.pages(MarvelCharacter(id: 5, name: "Ms. Marvel", urls: urls)).map(\.type)
        }
        #expect(types([]) == ["detail", "comiclink"])
        #expect(types([CharacterURL(type: "wiki", url: "http://w")]) == ["detail", "wiki", "comiclink"])
        let own = ["comiclink", "detail"].map { CharacterURL(type: $0, url: "http://own/\($0)") }
        #expect(types(own) == ["comiclink", "detail"])
        let page = links.pages(MarvelCharacter(id: 5, name: "Ms. Marvel")).first?.url
        #expect(page?.hasPrefix("http://marvel.com/comics/characters/5/ms_marvel?utm_campaign=apiRef") == true)
    }
}
