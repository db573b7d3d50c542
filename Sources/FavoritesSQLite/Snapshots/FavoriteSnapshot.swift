internal import Foundation
internal import MarvelDomain

/// A favorite as the store keeps it, as JSON. It is apart from the domain's types so that each can change on its own.
///
/// The property names are in every store ever written. A name is never changed, and a property added later is optional.
struct FavoriteSnapshot: Codable {
    var character: CharacterSnapshot
    var savedAt: TimestampSnapshot

    struct CharacterSnapshot: Codable {
        var id: Int64
        var name: String
        var description: String
        var modified: TimestampSnapshot?
        var thumbnail: ThumbnailSnapshot?
        var comics: Int32
        var series: Int32
        var stories: Int32
        var events: Int32
        var urls: [URLSnapshot]
    }

    struct TimestampSnapshot: Codable {
        var seconds: Int64
        var nanoseconds: Int32
    }

    struct ThumbnailSnapshot: Codable {
        var path: String
        var fileExtension: String
    }

    struct URLSnapshot: Codable {
        var type: String
        var url: String
    }
}

extension FavoriteSnapshot {
    static func text(_ favorite: Favorite) throws -> String {
        try SnapshotWriter.text(favorite) ?? encode(FavoriteSnapshot(favorite))
    }

    static func favorite(_ text: String) throws -> Favorite {
        try SnapshotReader.favorite(text)
            ?? JSONDecoder().decode(FavoriteSnapshot.self, from: Data(text.utf8)).favorite
    }

    static func favorites(_ text: String) throws -> [Favorite] {
        try JSONDecoder().decode([FavoriteSnapshot].self, from: Data(text.utf8)).map(\.favorite)
    }

    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension FavoriteSnapshot {
    init(_ favorite: Favorite) {
        character = CharacterSnapshot(favorite.character)
        savedAt = TimestampSnapshot(favorite.savedAt)
    }

    var favorite: Favorite { Favorite(character: character.character, savedAt: savedAt.timestamp) }
}

extension FavoriteSnapshot.CharacterSnapshot {
    fileprivate init(_ character: MarvelCharacter) {
        id = character.id
        name = character.name
        description = character.description
        modified = character.modified.map(FavoriteSnapshot.TimestampSnapshot.init)
        thumbnail = character.thumbnail.map { .init(path: $0.path, fileExtension: $0.fileExtension) }
        comics = character.comicCount
        series = character.seriesCount
        stories = character.storyCount
        events = character.eventCount
        urls = character.urls.map { .init(type: $0.type, url: $0.url) }
    }

    fileprivate var character: MarvelCharacter {
        MarvelCharacter(
            id: id,
            name: name,
            description: description,
            modified: modified?.timestamp,
            thumbnail: thumbnail.map { Thumbnail(path: $0.path, fileExtension: $0.fileExtension) },
            comicCount: comics,
            seriesCount: series,
            storyCount: stories,
            eventCount: events,
            urls: urls.map { CharacterURL(type: $0.type, url: $0.url) }
        )
    }
}

extension FavoriteSnapshot.TimestampSnapshot {
    fileprivate init(_ timestamp: Timestamp) {
        seconds = timestamp.seconds
        nanoseconds = timestamp.nanoseconds
    }

    fileprivate var timestamp: Timestamp { Timestamp(seconds: seconds, nanoseconds: nanoseconds) }
}
