internal import Catalog
internal import MarvelAPI
internal import MarvelDomain

/// One character put together from what several files have of it: the first one counts, and those behind it fill in
/// what it lacks.
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
            // That there is no picture, as the API's placeholder says, is no reason against one.
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

    /// The whole: with a description made up of facts if nobody wrote one, and an emblem to draw if nobody has a picture.
    var result: MarvelCharacter {
        var result = character
        if result.description.isEmpty { result.description = facts }
        if result.thumbnail == nil { result.thumbnail = .emblem(of: result.id) }
        return result
    }
}

extension MarvelCharacter {
    /// Whether somebody has its picture on a server. An emblem is drawn for who has none.
    fileprivate var hasPictureOfItsOwn: Bool { thumbnail?.path.contains("://") ?? false }
}
