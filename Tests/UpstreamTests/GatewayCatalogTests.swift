import Catalog
import CatalogReading
import MarvelDomain
import RPCCore
import Testing
import WireMessages

@testable import Upstream

@Suite struct GatewayCatalogTests {
    private func search(_ gateway: FakeFetcher, offset: Int = 0) async throws -> CharacterPage {
        try await GatewayCatalog(gateway)
            .search(SearchQuery("spider"), match: .prefix, at: PagePlace(offset: offset), limit: 10).value
    }

    @Test func theNormalizedQueryIsSentToTheGateway() async throws {
        let gateway = FakeFetcher([])
        let catalog = try GatewayCatalog(gateway)
        _ = try await catalog.search(
            SearchQuery("  spider \t man "),
            match: .prefix,
            at: PagePlace(offset: 20),
            limit: 5
        ).value
        let request = try #require(gateway.requests.first)
        #expect(request["nameStartsWith"] == "spider man")
        #expect(request["offset"] == "20")
        #expect(request["limit"] == "5")
    }

    @Test func nothingIsAskedBeforeTheAnswerIsFetched() throws {
        let gateway = FakeFetcher([])
        let catalog = try GatewayCatalog(gateway)
        _ = try catalog.search(SearchQuery("spider"), match: .prefix, at: PagePlace(), limit: 10)
        _ = catalog.character(id: 1)
        #expect(gateway.requests.isEmpty)
    }

    /// "Paging ends even if `total` lies": a stream of pages must not continue for ever.
    @Test func aPageWithoutEntriesEndsTheResults() async throws {
        let page = try await search(FakeFetcher { _ in .page([], offset: 50, total: 1000) }, offset: 50)
        #expect(page.nextOffset == nil)
        #expect(page.ids.isEmpty)
    }

    @Test func aGatewayThatTellsNoTotalIsReadToItsEnd() async throws {
        let names = (1...25).map { "Spider \($0)" }
        let gateway = FakeFetcher { url in
            let offset = Int(url["offset"] ?? "") ?? 0
            let entries = zip(names, 1...).dropFirst(offset).prefix(10).map { #"{"id":\#($1),"name":"\#($0)"}"# }
            return .json(#"{"data":{"results":[\#(entries.joined(separator: ","))]}}"#)
        }
        var (ids, next) = ([Int64](), Int?.some(0))
        while let offset = next, gateway.requests.count < 9 {
            let page = try await search(gateway, offset: offset)
            ids += page.ids
            next = page.nextOffset
        }
        #expect(ids == Array(1...25))
        #expect(gateway.requests.count == 3)
    }

    @Test(arguments: [Match.wordPrefix, .substring, .fuzzy])
    func aGatewayCannotDoOtherMatches(_ match: Match) throws {
        let (catalog, query) = (try GatewayCatalog(FakeFetcher([])), try SearchQuery("spider"))
        #expect(throws: CatalogError.matchUnsupported(match)) {
            _ = try catalog.search(query, match: match, at: PagePlace(), limit: 10)
        }
    }

    @Test func requestedItemsAreFound() async throws {
        let catalog = try GatewayCatalog(FakeFetcher(BuiltInCatalog.characters()))
        #expect(try await catalog.character(id: 1_009_610).value?.character.name == "Spider-Man")
        #expect(try await catalog.character(id: .max).value == nil)
        let query = try SearchQuery("captain")
        let page = try await catalog.search(query, match: .prefix, at: PagePlace(), limit: 100).value
        let original = BuiltInCatalog.characters().filter { page.ids.contains($0.id) }
        #expect(try page.characters.map(\.description).sorted() == original.map(\.description).sorted())
        let beyond = try await catalog.search(query, match: .prefix, at: PagePlace(offset: page.total + 1), limit: 10)
            .value
        #expect((beyond.total, beyond.ids, beyond.nextOffset) == (page.total, [], nil))
    }

    @Test func theGatewaysAttributionIsShownAndRemembered() async throws {
        let character = MarvelCharacter(id: 1, name: "Spider")
        let gateway = FakeFetcher { _ in .page([character], offset: 0, total: 1, attribution: "Data by the gateway") }
        let catalog = try GatewayCatalog(gateway)
        #expect(catalog.attribution == GatewayCatalog.defaultAttribution)
        let page = try await catalog.search(SearchQuery("spider"), match: .prefix, at: PagePlace(), limit: 10).value
        #expect(page.provenance.attribution == "Data by the gateway")
        #expect(catalog.attribution == "Data by the gateway")
    }

    @Test func aMissingAttributionIsMarvels() async throws {
        let page = try await search(FakeFetcher { _ in .page([], offset: 0, total: 0, attribution: "") })
        #expect(page.provenance.attribution == GatewayCatalog.defaultAttribution)
    }

    @Test func aFailureOfTheTransportIsTheCatalogsFailure() async throws {
        let catalog = try GatewayCatalog(FakeFetcher { _ throws(SourceError) in throw .interrupted("x") })
        let error = CatalogError.upstream(.interrupted("x"))
        await #expect(throws: error) {
            _ = try await catalog.search(SearchQuery("spider"), match: .prefix, at: PagePlace(), limit: 10).value
        }
        await #expect(throws: error) { _ = try await catalog.character(id: 5).value }
    }

    @Test(arguments: [401, 409, 429, 500, 503])
    func anErrorOfTheGatewayIsNotAMissingCharacter(_ status: Int) async throws {
        let catalog = try GatewayCatalog(FakeFetcher { _ in .json(#"{"code":"X","message":"y"}"#, status: status) })
        await #expect(throws: CatalogError.self) { _ = try await catalog.character(id: 5).value }
    }

    @Test func aGatewayIsNotAskedForSuggestions() async throws {
        let gateway = FakeFetcher(BuiltInCatalog.characters())
        let catalog = try GatewayScene(gateway).catalog
        #expect(try await catalog.suggestions(for: SearchQuery(typed: "spi"), limit: 10).value.count == 0)
        #expect(gateway.requests.isEmpty)
    }

    /// Turns and shares of the budget are those of the caller of the task.
    @Test func aCallIsItsCallersOwn() async throws {
        let scene = try GatewayScene(FakeFetcher { _ in .spiders }, callsPerDay: 4)
        var served = 0
        await CallerID.$current.withValue(.next()) {
            for number in 0..<4 where (try? await scene.search("spider \(number)")) != nil { served += 1 }
        }
        #expect(served == 2, "half of the calls of a day are left for others")
    }
}
