internal import Foundation
internal import MarvelDomain

/// A change as the store keeps it. Its property names are in every store ever written, as in `FavoriteSnapshot`.
struct ChangeSnapshot: Decodable {
    var saved: FavoriteSnapshot?
    var removed: FavoriteSnapshot?
    var evicted: [FavoriteSnapshot]?
    var updated: [FavoriteSnapshot]?
    var cleared: [FavoriteSnapshot]?
    var deleted: Bool?

    static func change(_ text: String, revision: Int64) throws -> FavoritesChange {
        let snapshot = try JSONDecoder().decode(ChangeSnapshot.self, from: Data(text.utf8))
        return FavoritesChange(
            revision: revision,
            saved: snapshot.saved?.favorite,
            removed: snapshot.removed?.favorite,
            evicted: (snapshot.evicted ?? []).map(\.favorite),
            updated: (snapshot.updated ?? []).map(\.favorite),
            cleared: (snapshot.cleared ?? []).map(\.favorite),
            isDeletion: snapshot.deleted ?? false
        )
    }
}
