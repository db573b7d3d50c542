import MarvelDomain
import Testing

@testable import FavoritesSQLite

/// The favorites that the writer remembers are those that their rows hold.
struct RecentSnapshotsTests {
    private func favorite(_ id: Int64, _ name: String, savedAt seconds: Int64 = 1) -> Favorite {
        Favorite(character: MarvelCharacter(id: id, name: name), savedAt: Timestamp(seconds: seconds))
    }

    private func read(_ favorite: Favorite, _ snapshots: RecentSnapshots) throws -> Favorite {
        try FavoriteJSON.utf8(favorite).withUnsafeBytes {
            try snapshots.favorite(favorite.character.id, on: .default, text: $0).favorite
        }
    }

    @Test func aRowIsReadAsItIsWhateverWasKnownOfIt() throws {
        let snapshots = RecentSnapshots()
        let versions = [favorite(1, "A"), favorite(1, "B"), favorite(1, "A", savedAt: 2), favorite(1, "C\\\"\n")]
        for _ in 0..<2 {
            for version in versions {
                #expect(try read(version, snapshots) == version)
                #expect(snapshots.stored(version, on: .default).text == FavoriteJSON.utf8(version))
            }
        }
    }

    @Test func aLineThatIsNotAFavoriteIsRefused() throws {
        let snapshots = RecentSnapshots()
        _ = snapshots.stored(favorite(1, "A"), on: .default)
        let damaged = Array("{\"character\":1}".utf8)
        #expect(throws: JSONError.self) {
            try damaged.withUnsafeBytes { _ = try snapshots.favorite(1, on: .default, text: $0) }
        }
    }

    /// More favorites than are remembered.
    @Test func forgottenListsAreReadAgain() throws {
        let snapshots = RecentSnapshots()
        for _ in 0..<2 {
            for id: Int64 in 1...3_000 {
                let favorite = favorite(id, "C\(id)")
                #expect(snapshots.stored(favorite, on: .default).favorite == favorite)
            }
        }
        #expect(try read(favorite(7, "C7"), snapshots) == favorite(7, "C7"))
    }
}
