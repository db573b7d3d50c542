internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// The owners of lists, as a file keeps them.
@Suite(.temporaryFolder) struct OwnerTests {
    private func make(_ name: String, of owner: ListOwner, in store: SQLiteFavoritesStore) async throws {
        let toggle = Toggle(list: try list(name), characterID: 1, desired: .saved, request: nil, owner: owner)
        _ = try await store.toggle(toggle, character: character(1))
    }

    /// The owners of a store by its lists.
    private func owners(_ path: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try exportedLists(path).map { ($0.name.text, $0.owner?.name ?? "-") })
    }

    private func fill(_ path: String) async throws {
        let store = try SQLiteFavoritesStore(path: path)
        for name in ["a", "b", "gone"] { try await make(name, of: .named("anna"), in: store) }
        try await make("c", of: .named("berta"), in: store)
        try await make("d", of: .nobody, in: store)
        _ = try await store.delete(try list("gone"))
        await store.close()
    }

    private static let filled = ["a": "anna", "b": "anna", "c": "berta", "d": "-"]

    @Test func ownersOutliveARestartAndABackup() async throws {
        let copy = "\(folder)/copy"
        try await fill(path)
        #expect(try owners(path) == Self.filled)
        #expect(try StoreCheck.check(path).problems == [])
        _ = try StoreBackup.copy(path, to: copy)
        #expect(try owners(copy) == Self.filled)

        let store = try SQLiteFavoritesStore(path: path, maximumListsPerOwner: 2)
        await #expect(throws: StoreError.ownedListLimitReached(maximum: 2)) {
            try await make("more", of: .named("anna"), in: store)
        }
        try await make("more", of: .named("berta"), in: store)
        // The name of a deleted list is made again.
        try await make("gone", of: .nobody, in: store)
        await store.close()
        #expect(try owners(path)["gone"] == "-")

        let unlimited = try SQLiteFavoritesStore(path: path, maximumListsPerOwner: 0)
        try await make("many", of: .named("anna"), in: unlimited)
        await unlimited.close()
    }

    // MARK: Transfer

    private func export(_ path: String) throws -> String {
        var text: [UInt8] = []
        _ = try StoredLists.export(path) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func exportsAndImportsKeepOwners() async throws {
        let other = "\(folder)/other"
        try await fill(path)
        let text = try export(path)
        _ = try await importLists(text, into: other)
        #expect(try owners(other) == Self.filled)
        #expect(try StoreCheck.check(other).problems == [])

        // Only the owner differs.
        let given = text.replacing(#""owner":"berta""#, with: #""owner":"carla""#)
        let report = try await importLists(given, into: other)
        #expect((report.changedCount, report.unchangedCount) == (1, 3))
        #expect(try owners(other) == Self.filled.merging(["c": "carla"]) { $1 })

        // A text that names no owners: the contents change, and the owner stays.
        let old = try Self.line("c", favorites: "[]") + Self.line("e", favorites: "[]")
        _ = try await importLists(old, into: other)
        #expect(try owners(other) == Self.filled.merging(["c": "carla", "e": "-"]) { $1 })
        #expect(try StoreCheck.check(other).problems == [])
    }

    @Test(arguments: ["a b", "\\u0001", String(repeating: "a", count: 65)])
    func anInvalidOwnerIsRefused(_ owner: String) async throws {
        let text = #"{"favorites":[],"list":"a","owner":"\#(owner)","revision":1}"#
        await #expect(throws: ListsImport.Failure.self) { try await importLists(text, into: path) }
    }

    private static func line(_ name: String, favorites: String) throws -> String {
        "{\"favorites\":\(favorites),\"list\":\"\(name)\",\"revision\":1}\n"
    }
}
