internal import Foundation
internal import MarvelDomain
internal import SQLiteFiles
internal import Testing

@testable internal import FavoritesSQLite

/// Bits of the file are flipped one by one, as a disk does it: what is read is refused, or right.
@Suite(.temporaryFolder, .timeLimit(.minutes(10))) struct FlippedBitTests {
    private typealias Edit = (Int64, String, EditOrder.PictureChange?)

    private static let gif = Picture(bytes: Array("GIF89a-mine".utf8), mediaType: .gif)

    /// A reader gets two lists, the edits by their ids, and the picture of one.
    private struct Contents: Equatable {
        var damaged: [Favorite]?
        var whole: [Favorite]?
        var edits: [EditedCharacter]
        var picture: Picture?

        init(_ store: SQLiteFavoritesStore) async throws {
            damaged = try? await store.favorites(.default).favorites
            whole = try? await store.favorites(list("whole")).favorites
            edits = try await store.edits.edits(after: 0)
            picture = try? await store.edits.picture(of: 7)
        }

        /// Whether all that is here is also there.
        func isPart(of right: Contents) -> Bool {
            (damaged == nil || damaged == right.damaged) && (whole == nil || whole == right.whole)
                && edits.allSatisfy(right.edits.contains) && (picture == nil || picture == right.picture)
        }
    }

    private func makeStore() async throws -> (bytes: Data, contents: Contents) {
        let store = try SQLiteFavoritesStore(path: path)
        for id: Int64 in 1...3 { try await store.toggle(id, request: "request-\(id)") }
        for id: Int64 in 4...5 { try await store.toggle(id, on: list("whole")) }
        for (id, name, picture) in [(7, "Qwerty", .set(Self.gif)), (8, "Other", nil)] as [Edit] {
            _ = try await store.edits.write(EditOrder(.existing(id), CharacterEdit(name: name), picture: picture)) {
                $0 == id
            }
        }
        let contents = try await Contents(store)
        await store.close()
        try FileManager.default.copyItem(atPath: path + ".witness", toPath: "\(folder)/witness")
        return (try Data(contentsOf: URL(filePath: path)), contents)
    }

    /// Puts a file in the place of the store, as if no server had opened it since.
    private func put(_ bytes: Data) throws {
        try? FileManager.default.removeItem(atPath: path + "-wal")
        try bytes.write(to: URL(filePath: path))
        try Data(contentsOf: URL(filePath: "\(folder)/witness")).write(to: URL(filePath: path + ".witness"))
    }

    /// The owner of a store needs a favorite, the ids of answered requests in their table and its index, and edits.
    @Test(arguments: ["\"name\":\"Character 2\"", "request-2", "Qwerty", "GIF89a-mine"])
    func aFlippedBitOfARowIsFoundAndTheOthersAreServed(_ text: String) async throws {
        let (bytes, right) = try await makeStore()
        var random = SplitMix64(seed: 1)
        for place in bytes.ranges(of: Data(text.utf8)) {
            for offset in place {
                var flipped = bytes
                flipped[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
                try put(flipped)
                #expect(try !StoreCheck.check(path).isWhole, "\(offset)")
                #expect(throws: FavoritesStoreOpenError.self) { try StoreBackup.copy(path, to: "\(folder)/copy.db") }
                let store = try SQLiteFavoritesStore(path: path)
                let contents = try await Contents(store)
                #expect(contents.isPart(of: right), "\(offset)")
                #expect(contents.whole == right.whole && contents.edits.contains { $0.id == 8 }, "\(offset)")
                #expect(store.refusal == nil)
                await store.close()
            }
        }
    }

    /// The header of the file, and what stands before the values of a row: their lengths, kinds and numbers. SQLite may not
    /// be able to tell where the rows are; then the store is refused, and not touched.
    @Test func aFlippedBitBeforeTheValuesIsRefusedOrHarmsNothing() async throws {
        let (bytes, right) = try await makeStore()
        var flips = (0..<100).map { (offset: $0, bits: 0xFF as UInt8) }
        let snapshot = #"{"character":{"comics":0,"description":"","events":0,"id":2,"#
        for (text, count) in [(snapshot, 25), ("Qwerty", 100)] {
            let places = bytes.ranges(of: Data(text.utf8))
            #expect(!places.isEmpty)
            flips += places.flatMap { place in (1...count).map { (place.lowerBound - $0, 0x01) } }
        }
        for (offset, bits) in flips {
            var flipped = bytes
            flipped[offset] ^= bits
            try put(flipped)
            do {
                let store = try SQLiteFavoritesStore(path: path)
                #expect(try await Contents(store).isPart(of: right), "\(offset)")
                await store.close()
            } catch _ as FavoritesStoreOpenError {
                #expect(try Data(contentsOf: URL(filePath: path)) == flipped, "\(offset)")
            }
        }
    }
}
