import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ListFavoritesTests {
    private static let hulk: Int64 = 1_009_351

    private let store = MemoryFavoritesStore()
    private var service: CharacterService { CharacterService(catalog: TestCatalog.builtIn, store: store) }

    @Test func aNewListIsEmptyAtRevisionZero() async throws {
        let list = try await service.favorites(of: "new")
        let name = try #require(ListName("new"))
        #expect(
            list
                == ListFavoritesResponse(
                    favorites: [],
                    revision: 0,
                    capacity: 5,
                    attribution: BuiltInCatalog.attribution,
                    place: FavoritesPlace(list: name, history: store.history, revision: 0).text
                )
        )
    }

    @Test func theListIsCompleteAndOldestFirstWithoutTheCatalog() async throws {
        let characters = Array(BuiltInCatalog.characters().prefix(3)).reversed()
        for character in characters { try await service.toggle(character.id) }
        let failing = CharacterService(catalog: TestCatalog(failure: .upstream(.timedOut)), store: store)
        let list = try await failing.favorites()
        #expect(list.favorites.map(\.character) == Array(characters))
        #expect(list.revision == 3)
    }

    /// The first answer is read and encoded; from then on all callers get the same one, without a task.
    @Test func aKnownListIsAnsweredImmediately() async throws {
        let service = service
        let request = ListFavoritesRequest().encoded()
        guard case .later(let work) = try service.listFavorites(IncomingCall(payload: request)) else {
            Issue.record("no caller has read the list yet")
            return
        }
        _ = try await work()
        for _ in 0..<2 {
            let toggled = try await service.toggle(Self.hulk)
            let answers = try (0..<2).map { _ in
                try service.listFavorites(IncomingCall(payload: request)).ready().message
            }
            #expect(answers[0] === answers[1], "it is encoded once")
            let list = try ListFavoritesResponse(decoding: answers[0].encoded, limit: .response)
            #expect(list.revision == toggled.revision)
            #expect(list.place == toggled.place)
        }
        #expect(store.snapshotCount == 1)
    }

    @Test func aPlaceOfThisListIsReachedWithoutTheStore() async throws {
        let service = service
        let toggled = try await service.toggle(Self.hulk)
        let first = try await service.favorites(atLeast: toggled.place)
        store.fail(with: .notReadable("the disk is gone"))
        #expect(try await service.favorites(atLeast: toggled.place) == first)
        #expect(first.place == toggled.place)
        let ahead = FavoritesPlace(list: .default, history: store.history, revision: 2).text
        store.fail(with: nil)
        let error = await service.error("ListFavorites", ListFavoritesRequest(atLeast: ahead).encoded())
        #expect(error?.reason == .historyChanged)
    }

    @Test(
        arguments: [
            (.zero, nil), (.milliseconds(250), nil), (.seconds(1), nil),
            (.milliseconds(1_001), .milliseconds(1_001)), (.seconds(90), .seconds(90)),
        ] as [(Duration, Duration?)]
    )
    func cachedListsTellTheirAgeAboveASecond(_ feedAge: Duration, _ age: Duration?) async throws {
        let service = service
        try await store.toggle(1...2)
        let read = try await service.favorites()
        store.setFeedAge(feedAge)
        var expected = read
        expected.age = age
        for place in ["", read.place] { #expect(try await service.favorites(atLeast: place) == expected) }
    }

    /// The store was asked for this call, whatever the age of the feed.
    @Test func listsReadFromTheStoreHaveNoAge() async throws {
        let service = service
        try await store.toggle([1])
        store.setFeedAge(.seconds(60))
        let first = try await service.favorites()
        #expect(first.age == nil)
        #expect(first.revision == 1)
        // A change through another server, of which the feed says nothing.
        store.feed(.nothing)
        try await store.toggle([2])
        let ahead = FavoritesPlace(list: .default, history: store.history, revision: 2).text
        let second = try await service.favorites(atLeast: ahead)
        #expect(second.age == nil)
        #expect(second.revision == 2)
    }
}
