internal import Foundation
internal import MarvelDomain
internal import TestDatabases
internal import Testing

@testable internal import FavoritesPostgres

@Suite(.needsPostgres) struct CheckTests {
    /// Each planted fault, and a part of what the check says about it.
    @Test(
        arguments: [
            ("DELETE FROM marvel.changes WHERE revision = 3", "change 3 is missing"),
            ("UPDATE marvel.lists SET revision = revision - 1", "but its log is at 6"),
            ("UPDATE marvel.lists SET ids = ids[2:] || ids[1:1]", "its ids do not match its favorites"),
            ("DELETE FROM marvel.favorites WHERE character_id = 6", "its ids do not match its favorites"),
            (
                "UPDATE marvel.favorites SET snapshot = '{}' WHERE character_id = 6",
                "the row of character 6 does not match"
            ),
            (
                "UPDATE marvel.favorites SET saved_revision = 7 WHERE character_id = 6",
                "list default: the row of character 6 does not match its checksum"
            ),
            ("UPDATE marvel.lists SET owner = 'eve'", "list default: its row and ids do not match"),
            ("UPDATE marvel.answers SET revision = 99 WHERE request_id = 'r-6'", "a request was answered with 99"),
            ("INSERT INTO marvel.favorites VALUES ('stray', 1, 1, '{}', '')", "1 favorites belong to missing lists"),
            ("UPDATE marvel.meta SET timeline = timeline - 1", "acknowledged changes may be missing"),
        ]
    )
    func aCheckFindsAPlantedFault(_ fault: String, _ finding: String) async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            for id: Int64 in 1...6 { try await stores[0].toggle(id, request: "r-\(id)") }
            let address = try DatabaseAddress(address)
            #expect(try DatabaseCheck.check(address, capacity: 3).problems == [])
            #expect(try DatabaseCheck.check(address, capacity: 2).problemCount == 1)
            await stores[0].close()
            try await server.run(fault, in: address.text)
            let report = try DatabaseCheck.check(address)
            #expect(report.problems.contains { $0.contains(finding) }, "\(report.problems)")
        }
    }

    /// The version before keeps more there, and `restore` and `copy` of the version before wrote them.
    @Test func picturesOfEarlierVersionsInADatabaseAreRead() async throws {
        try await withStores(1, .init(capacity: 3)) { server, address, stores in
            let store = stores[0]
            try await server.run(
                """
                INSERT INTO marvel.pictures (character_id, media_type, is_placeholder, bytes, fetched_at)
                VALUES (7, 'image/png', true, '\\x890001', 1700000007), (8, 'image/webp', true, '\\x89', 1700000008)
                """,
                in: address
            )
            let picture = Picture(bytes: [0x89, 0, 1], mediaType: .png, isPlaceholder: true)
            let kept = KeptPicture(id: 7, picture: picture, fetchedAt: Timestamp(seconds: 1_700_000_007))
            #expect(try await store.formerPictureIDs() == [], "neither is on a list")
            try await store.toggle(7)
            #expect(try await store.formerPictureIDs() == [7])
            #expect(try await store.formerPictures(of: [7, 9]) == [kept])
            #expect(try await store.formerPictures(of: [8]) == [], "a newer version's type")
        }
    }
}
