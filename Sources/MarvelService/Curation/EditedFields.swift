internal import Catalog
internal import MarvelDomain
internal import WireMessages

/// The raw values are the names in a field mask.
enum EditedField: String, CaseIterable {
    case name
    case description
    case comicCount = "comic_count"
    case seriesCount = "series_count"
    case storyCount = "story_count"
    case eventCount = "event_count"
    case urls
    case picture

    /// An update without a mask sets the fields that are not empty.
    static func populated(_ character: MarvelCharacter, _ picture: PictureUpload?) -> Set<EditedField> {
        Set(
            allCases.filter { field in
                switch field {
                case .name: !character.name.isEmpty
                case .description: !character.description.isEmpty
                case .comicCount: character.comicCount != 0
                case .seriesCount: character.seriesCount != 0
                case .storyCount: character.storyCount != 0
                case .eventCount: character.eventCount != 0
                case .urls: !character.urls.isEmpty
                case .picture: picture != nil
                }
            }
        )
    }
}

extension CharacterEdit {
    init(_ character: MarvelCharacter, setting fields: Set<EditedField>) {
        self.init(
            name: fields.contains(.name) ? character.name : nil,
            description: fields.contains(.description) ? character.description : nil,
            comicCount: fields.contains(.comicCount) ? character.comicCount : nil,
            seriesCount: fields.contains(.seriesCount) ? character.seriesCount : nil,
            storyCount: fields.contains(.storyCount) ? character.storyCount : nil,
            eventCount: fields.contains(.eventCount) ? character.eventCount : nil,
            urls: fields.contains(.urls) ? character.urls : nil
        )
    }
}
