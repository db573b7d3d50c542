import Catalog
import MarvelDomain
import RPCCore
import StoreContract
import Testing
import WireMessages

@testable import MarvelService

@Suite struct ListListsTests {
    private let store = MemoryFavoritesStore()
    private var service: CharacterService { CharacterService(catalog: TestCatalog.builtIn, store: store) }

    private func fill(_ names: some Sequence<String>) async throws {
        let character = try #require(BuiltInCatalog.characters().first)
        for name in names {
            let list = try #require(ListName(name))
            _ = try await store.toggle(Toggle(list: list, characterID: character.id), character: character)
        }
    }

    private func page(_ prefix: String = "", size: Int32 = 0, token: String = "") async throws -> ListListsResponse {
        try await service.call("ListLists", ListListsRequest(prefix: prefix, pageSize: size, pageToken: token))
    }

    @Test func aListHasItsNameRevisionAndCount() async throws {
        #expect(try await page() == ListListsResponse())
        try await fill(["b", "a", "a", "A"])
        #expect(
            try await page().lists == [
                NamedList(name: "A", revision: 1, favoriteCount: 1),
                NamedList(name: "a", revision: 2, favoriteCount: 0),
                NamedList(name: "b", revision: 1, favoriteCount: 1),
            ]
        )
        #expect(try await page("a").lists.map(\.name) == ["a"])
        #expect(try await page("c") == ListListsResponse())
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func pagesTogetherAreAllLists(_ size: Int32) async throws {
        let names = (1...7).map { "team-\($0)" }
        try await fill(names + ["other"])
        var (found, token): ([String], String) = ([], "")
        repeat {
            let page = try await page("team", size: size, token: token)
            #expect(page.lists.count <= size)
            found += page.lists.map(\.name)
            token = page.nextPageToken
        } while !token.isEmpty
        #expect(found == names)
    }

    @Test func aPageHasAHundredListsOrAsManyAsAskedUpToAThousand() async throws {
        try await fill((0..<1_050).map { "l\($0)" })
        #expect(try await page().lists.count == 100)
        #expect(try await page(size: .max).lists.count == 1_000)
    }

    /// A name of the largest length, and all that lists may be called, survive the token.
    @Test(arguments: ["a", "ab", "abc", "a.b_c-d", String(repeating: "z", count: 64)])
    func aTokenIsReadAsItWasWritten(_ name: String) throws {
        let token = ListsPageToken(prefix: "a", last: try #require(ListName(name)))
        #expect(try ListsPageToken.read(token.text, prefix: "a") == token)
        #expect(token.text.utf8.allSatisfy { UInt8(ascii: "+") != $0 && UInt8(ascii: "/") != $0 })
    }

    @Test func aTruncatedChangedOrForeignTokenIsRefused() async throws {
        let token = ListsPageToken(prefix: "team", last: try #require(ListName("team-1"))).text
        var broken = (0..<token.count).map { String(token.prefix($0)) }.filter { !$0.isEmpty }
        for index in token.indices {
            var copy = token
            copy.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            broken.append(copy)
        }
        broken += [token + "AAAA", token + "=", "é", String(repeating: "A", count: 10_000)]
        for text in broken {
            let request = ListListsRequest(prefix: "team", pageToken: text).encoded()
            let error = await service.error("ListLists", request)
            #expect(error?.reason == .pageTokenInvalid, "\(text)")
            #expect(error?.violatedField == "page_token")
        }
        let other = await service.error("ListLists", ListListsRequest(prefix: "tea", pageToken: token).encoded())
        #expect(other?.reason == .pageTokenInvalid)
    }
}
