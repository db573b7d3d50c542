internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

@Suite struct PictureTests {
    private let clock = TestClock()
    private let store: SQLiteFavoritesStore

    init() throws { store = try .inMemory(now: clock.now) }

    private static func picture(_ byte: UInt8, isPlaceholder: Bool = false) -> Picture {
        Picture(bytes: [byte, 0x00, 0xFF], mediaType: .jpeg, isPlaceholder: isPlaceholder)
    }

    @Test(arguments: PictureType.allCases, [true, false])
    func aPictureComesBackAsItWasKeptAndItsAgeGrows(_ type: PictureType, _ isPlaceholder: Bool) async throws {
        let picture = Picture(bytes: [0, 1, 2, 255], mediaType: type, isPlaceholder: isPlaceholder)
        try await store.toggle(1)
        #expect(try await store.picture(of: 1) == nil)
        #expect(try await store.keep([1: picture]) == [1])
        clock.advance(by: 90)
        #expect(try await store.picture(of: 1) == KeptPicture(picture, age: .seconds(90)))
        #expect(try await store.hasPicture(of: 1))
        clock.advance(by: -1_000)
        #expect(try await store.picture(of: 1)?.age == .zero)
    }

    @Test func aPictureIsNoChangeOfAList() async throws {
        let result = try await store.toggle(1)
        _ = try await store.keep([1: Self.picture(1)])
        #expect(try await store.favorites(.default).revision == result.revision)
    }

    @Test func onlyPicturesOfFavoritesAreKept() async throws {
        try await store.toggle(1)
        #expect(try await store.keep([1: Self.picture(1), 2: Self.picture(2)]) == [1])
        #expect(try await !store.hasPicture(of: 2))
    }

    @Test func aNewerPictureTakesThePlaceOfTheOlder() async throws {
        try await store.toggle(1)
        _ = try await store.keep([1: Self.picture(1)])
        _ = try await store.keep([1: Self.picture(2, isPlaceholder: true)])
        #expect(try await store.picture(of: 1)?.picture == Self.picture(2, isPlaceholder: true))
    }

    @Test(arguments: [Set<Int64>([1, 2]), nil])
    func aPictureLeavesWhenNoListHoldsItsCharacter(_ ids: Set<Int64>?) async throws {
        let other = try list("other")
        try await store.toggle(1)
        try await store.toggle(1, on: other)
        try await store.toggle(2)
        _ = try await store.keep([1: Self.picture(1), 2: Self.picture(2)])
        try await store.toggle(1)
        try await store.dropPictures(of: ids)
        #expect(try await store.hasPicture(of: 1))
        try await store.toggle(1, on: other)
        try await store.dropPictures(of: ids)
        #expect(try await !store.hasPicture(of: 1))
        #expect(try await store.hasPicture(of: 2))
    }

    @Test func favoritesWithoutPicturesAreFoundOnceEach() async throws {
        for id: Int64 in 1...4 { try await store.toggle(id) }
        try await store.toggle(4, on: list("other"))
        _ = try await store.keep([2: Self.picture(2)])
        func found(excluding ids: Set<Int64> = [], limit: Int = 10) async throws -> [MarvelCharacter] {
            try await store.charactersWithoutPicture(excluding: ids, limit: limit).sorted { $0.id < $1.id }
        }
        #expect(try await found() == [character(1), character(3), character(4)])
        #expect(try await found(excluding: [3]).map(\.id) == [1, 4])
        #expect(try await found(limit: 2).count == 2)
    }

    @Test func aStoreThatIsClosedKeepsNoMore() async throws {
        try await store.toggle(1)
        await store.close()
        await #expect(throws: StoreError.self) { _ = try await store.keep([1: Self.picture(1)]) }
    }
}
