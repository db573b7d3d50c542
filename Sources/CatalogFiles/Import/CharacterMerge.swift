internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// A merge of one character's records from several files. The values of the first record win, and later ones fill in
/// what is missing.
struct CharacterMerge {
    private var character: MarvelCharacter
    private var facts: String

    init(_ first: MarvelCharacter, facts: String, id: Int64) {
        character = first
        character.id = id
        if !first.hasPictureOfItsOwn { character.thumbnail = nil }
        self.facts = facts
    }

    mutating func fill(from later: MarvelCharacter, facts: String) {
        if character.description.isEmpty { character.description = later.description }
        character.modified = character.modified ?? later.modified
        if let thumbnail = later.thumbnail, later.hasPictureOfItsOwn {
            // The API's placeholder means that the API has no picture. It is replaced by any picture.
            if character.thumbnail.map(\.isPlaceholder) ?? true { character.thumbnail = thumbnail }
        }
        fill(\.comicCount, from: later)
        fill(\.seriesCount, from: later)
        fill(\.storyCount, from: later)
        fill(\.eventCount, from: later)
        let types = Set(character.urls.map(\.type))
        character.urls += later.urls.filter { !types.contains($0.type) }
        if self.facts.isEmpty { self.facts = facts }
    }

    private mutating func fill(_ count: WritableKeyPath<MarvelCharacter, Int32>, from later: MarvelCharacter) {
        if character[keyPath: count] == 0 { character[keyPath: count] = later[keyPath: count] }
    }

    /// The merged character. If no record has a description, it is made from facts. If no record has a picture, it gets
    /// an emblem.
    var result: MarvelCharacter {
        var result = character
        if result.description.isEmpty { result.description = facts }
        if result.thumbnail == nil { result.thumbnail = .emblem(of: result.id) }
        return result
    }
}

extension MarvelCharacter {
    /// Whether the character's picture is on a server, and not a drawn emblem.
    fileprivate var hasPictureOfItsOwn: Bool { thumbnail?.path.contains("://") ?? false }
}
