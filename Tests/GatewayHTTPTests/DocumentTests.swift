import MarvelDomain
import Synchronization
import Testing
import Upstream

@testable import GatewayHTTP

@Suite struct DocumentTests {
    /// Three comics of which the second has character 3 in it, and the queries for them.
    private final class Comics: DocumentSource {
        let attribution = "Data: a test & more"
        let documentCount = 3
        let queries = Mutex<[DocumentQuery]>([])

        func page(_ query: DocumentQuery) throws -> DocumentPage {
            queries.withLock { $0.append(query) }
            guard query.kind == .comics else { throw Damaged() }
            if case .id(let id) = query.filters.first, id > 3 { return DocumentPage(total: 0, documents: []) }
            return DocumentPage(
                total: 9,
                documents: [#"{"id":2,"resourceURI":"http://gateway.marvel.com/v1/public/comics/2"}"#]
            )
        }

        func contains(_ id: ResourceID) throws -> Bool { id == ResourceID(.comics, 2) }

        func characters(linkedTo kind: ResourceKind, _ ids: [Int64]) throws -> Set<Int64> {
            kind == .comics && ids.contains(2) ? [3, 99] : [1]
        }

        func list(of kind: ResourceKind, character: Int64) throws -> ResourceList {
            let items = kind == .comics ? [ResourceSummary(id: ResourceID(.comics, 2), name: "Tales #2")] : []
            return ResourceList(available: items.count, items: items)
        }

        struct Damaged: Error {}
    }

    private let comics = Comics()
    private var fixture: GatewayFixture {
        var fixture = GatewayFixture()
        fixture.documents = comics
        return fixture
    }

    private func reply(_ path: String, _ parameters: String = "") throws -> Reply {
        try fixture.gateway().reply("/v1/public/\(path)?\(Vector.credentials)&\(parameters)")
    }

    private func query(_ kind: ResourceKind, _ text: String) throws(ParameterError) -> DocumentQuery {
        try DocumentQuery(kind, QueryParameters(text))
    }

    @Test func documentsAreServedAsTheyAreInTheWrapper() throws {
        let reply = try reply("comics", "limit=5&offset=7")
        let page = try reply.page()
        #expect((page.offset, page.limit, page.total, page.count, page.ids) == (7, 5, 9, 1, [2]))
        let text = reply.text
        #expect(text.contains(#""results":[{"id":2,"resourceURI":"http://gateway.marvel.com/v1/public/comics/2"}]"#))
        #expect(text.contains(#""attributionText":"Data: a test & more","#))
        #expect(text.contains(#""etag":"\#(try #require(reply["ETag"]))""#))
    }

    @Test func theirOwnLinksAreRewrittenWhereThatIsWanted() throws {
        var fixture = fixture
        fixture.settings.rewritesLinks = true
        let reply = try fixture.gateway().reply("/v1/public/comics?\(Vector.credentials)")
        #expect(reply.text.contains(#""resourceURI":"http://gateway.test:6163/v1/public/comics/2""#))
        let links = ReplyLinks(apiOrigin: "http://a.test", ownOrigin: "http://a.test", publicKey: "k")
        let escaped = #"{"resourceURI":"http:\/\/gateway.marvel.com\/v1\/public\/comics\/2"}"#
        #expect(links.document(escaped) == #"{"resourceURI":"http://a.test/v1\/public\/comics\/2"}"#)
    }

    @Test func anErrorInTheParametersIsReportedBeforeAnUnknownItem() throws {
        #expect(try reply("characters/99/comics", "limit=0").status == 409)
        #expect(try reply("comics/99/characters", "limit=0").status == 409)
    }

    @Test(arguments: [
        ("comics/4", "comic_issue"), ("comics/x", "comic_issue"), ("comics/4/creators", "comic_issue"),
        ("characters/4/comics", "character"), ("events/1/comics", "event"), ("stories/1/comics", "story"),
        ("series/1/comics", "series"), ("creators/1/comics", "creator"),
    ])
    func anUnknownItemIsNotFound(path: String, word: String) throws {
        let reply = try reply(path)
        #expect(reply.status == 404)
        #expect(reply.text == #"{"code":404,"status":"We couldn't find that \#(word)"}"#)
    }

    @Test func theListsBelowAnItemAreTheOnesLinkedToIt() throws {
        #expect(try reply("characters/3/comics", "orderBy=issueNumber").page().ids == [2])
        #expect(comics.queries.withLock { $0.last?.filters } == [.linked(to: .characters, [3])])
        // Character 99 is not in the catalog.
        #expect(try reply("comics/2/characters").page().ids == [3])
        #expect(try reply("characters", "comics=2,5").page().ids == [3])
        #expect(try reply("characters", "comics=2&events=4").page().ids == [])
    }

    @Test func theListsOfACharacterHaveTheirItems() throws {
        let text = try reply("characters/3").text
        #expect(
            text.contains(
                #""items":[{"resourceURI":"http://gateway.marvel.com/v1/public/comics/2","name":"Tales #2"}],"returned":1"#
            )
        )
    }

    @Test func aDamagedCatalogIsAnErrorOfTheServer() throws {
        let reply = try reply("events")
        #expect((reply.status, reply.failure) == (500, "Damaged()"))
        #expect(reply.text == #"{"code":500,"status":"The saved documents cannot be read."}"#)
    }

    @Test func aCatalogWithoutDocumentsHasEmptyLists() throws {
        let gateway = try GatewayFixture().gateway()
        for path in ["comics", "characters/3/comics", "stories"] {
            let reply = gateway.reply("/v1/public/\(path)?\(Vector.credentials)")
            #expect(try (reply.status, reply.page().total) == (200, 0))
        }
        #expect(gateway.search("comics=2").text.contains(#""total":0"#))
    }

    // MARK: Parameters

    @Test func theFiltersAreReadByKind() throws {
        #expect(
            try query(.comics, "characters=1,2&series=3&titleStartsWith=Spi&issueNumber=0&sharedAppearances=4,5")
                .filters
                == [
                    .startsWith(field: "title", "Spi"), .equals(field: "issueNumber", "0"),
                    .linked(to: .characters, [1, 2]), .linked(to: .series, [3]),
                    .linked(to: .characters, [4]), .linked(to: .characters, [5]),
                ]
        )
        #expect(try query(.events, "name=Civil+War").filters == [.equals(field: "title", "Civil War")])
        #expect(try query(.creators, "nameStartsWith=j").filters == [.startsWith(field: "fullName", "j")])
        let since = try query(.series, "modifiedSince=1970-01-01T00:00:05Z").filters
        #expect(since == [.modifiedSince(Timestamp(seconds: 5))])
        #expect(try query(.comics, "format=comic&noVariants=true&dateRange=a,b").filters.count == 1)
    }

    @Test(arguments: [
        (ResourceKind.comics, "", "title"), (.comics, "-onsaleDate,issueNumber,onsaleDate", "-onsaleDate issueNumber"),
        (.events, "startDate,-name", "start -title"), (.creators, "", "lastName"), (.stories, "", "id"),
    ])
    func theOrderIsReadByKind(kind: ResourceKind, text: String, expected: String) throws {
        let order = try query(kind, text.isEmpty ? "" : "orderBy=\(text)").order
        #expect(order.map { ($0.isDescending ? "-" : "") + $0.field }.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        (ResourceKind.comics, "comics=1", ParameterError.unknown("comics")), (.stories, "title=x", .unknown("title")),
        (.series, "orderBy=issueNumber", .unknownOrdering("issueNumber")),
        (.comics, "orderBy=-x", .unknownOrdering("-x")),
        (.comics, "titleStartsWith=", .blank("titleStartsWith")), (.comics, "limit=101", .limitTooLarge),
        (.comics, "creators=x", .noValidID(.creators)), (.comics, "modifiedSince=x", .invalidDate),
        (.comics, "sharedAppearances=1,2,3,4,5,6,7,8,9,10,11", .tooManyIDs(.characters)),
    ])
    func aFaultIsRefused(kind: ResourceKind, text: String, error: ParameterError) {
        #expect(throws: error) { try query(kind, text) }
    }
}
