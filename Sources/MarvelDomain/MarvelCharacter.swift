/// A character of a catalog.
///
/// The type is not called `Character`, because packages that use it also use the standard library's type of that name.
public struct MarvelCharacter: Sendable, Hashable, Identifiable {
    /// The Marvel API's id of the character, above 0.
    public var id: Int64
    /// The name as the source has it, leading and trailing spaces included.
    public var name: String
    /// The description: one paragraph of plain text, cleaned for display; empty for most characters.
    public var description: String
    /// The time of the source's last change of the character; nil if unknown.
    public var modified: Timestamp?
    /// The address of the character's picture; nil if the source names none.
    public var thumbnail: Thumbnail?
    /// The number of comics with the character.
    public var comicCount: Int32
    /// The number of series with the character.
    public var seriesCount: Int32
    /// The number of stories with the character.
    public var storyCount: Int32
    /// The number of events with the character.
    public var eventCount: Int32
    /// Web pages about the character.
    public var urls: [CharacterURL]

    /// Makes a character.
    public init(
        id: Int64,
        name: String,
        description: String = "",
        modified: Timestamp? = nil,
        thumbnail: Thumbnail? = nil,
        comicCount: Int32 = 0,
        seriesCount: Int32 = 0,
        storyCount: Int32 = 0,
        eventCount: Int32 = 0,
        urls: [CharacterURL] = []
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.modified = modified
        self.thumbnail = thumbnail
        self.comicCount = comicCount
        self.seriesCount = seriesCount
        self.storyCount = storyCount
        self.eventCount = eventCount
        self.urls = urls
    }
}

/// The address of a character's picture, in the Marvel API's form.
///
/// The full address is `path`, a slash and a variant, a dot and the extension.
///
/// The built-in catalog has no web server: its paths are relative (`emblem/1009610`). The service sends the pictures of
/// such paths itself. The stand-in gateway puts its own address in front of the path.
public struct Thumbnail: Sendable, Hashable {
    /// The address without variant and extension.
    public var path: String
    /// The extension without the dot: `jpg`, `gif`, `png`.
    public var fileExtension: String

    /// Makes an address.
    public init(path: String, fileExtension: String) {
        self.path = path
        self.fileExtension = fileExtension
    }
}

/// A link to a web page about a character. `type` is `detail`, `wiki` or `comiclink`.
public struct CharacterURL: Sendable, Hashable {
    /// The kind of the page: `detail`, `wiki` or `comiclink`.
    public var type: String
    /// The address of the page.
    public var url: String

    /// Makes a link.
    public init(type: String, url: String) {
        self.type = type
        self.url = url
    }
}
