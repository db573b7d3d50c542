/// An operator's values for the fields of a character. A nil field keeps the source's value, also after later imports.
package struct CharacterEdit: Sendable, Hashable {
    package var name: String?
    package var description: String?
    package var comicCount: Int32?
    package var seriesCount: Int32?
    package var storyCount: Int32?
    package var eventCount: Int32?
    package var urls: [CharacterURL]?

    package init(
        name: String? = nil,
        description: String? = nil,
        comicCount: Int32? = nil,
        seriesCount: Int32? = nil,
        storyCount: Int32? = nil,
        eventCount: Int32? = nil,
        urls: [CharacterURL]? = nil
    ) {
        self.name = name
        self.description = description
        self.comicCount = comicCount
        self.seriesCount = seriesCount
        self.storyCount = storyCount
        self.eventCount = eventCount
        self.urls = urls
    }

    package func followed(by later: CharacterEdit) -> CharacterEdit {
        CharacterEdit(
            name: later.name ?? name,
            description: later.description ?? description,
            comicCount: later.comicCount ?? comicCount,
            seriesCount: later.seriesCount ?? seriesCount,
            storyCount: later.storyCount ?? storyCount,
            eventCount: later.eventCount ?? eventCount,
            urls: later.urls ?? urls
        )
    }

    package func apply(to character: inout MarvelCharacter) {
        if let name { character.name = name }
        if let description { character.description = description }
        if let comicCount { character.comicCount = comicCount }
        if let seriesCount { character.seriesCount = seriesCount }
        if let storyCount { character.storyCount = storyCount }
        if let eventCount { character.eventCount = eventCount }
        if let urls { character.urls = urls }
    }
}
