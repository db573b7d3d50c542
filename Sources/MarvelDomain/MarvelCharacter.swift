/// A character as the catalog knows it.
///
/// Not called `Character`: that name is the standard library's, and this type is handed to packages that use both.
public struct MarvelCharacter: Sendable, Hashable, Identifiable {
    /// The Marvel API's number, above 0.
    public var id: Int64
    /// As the source has it, leading and trailing spaces included.
    public var name: String
    /// One paragraph of plain text, cleaned for display; empty for most characters.
    public var description: String
    /// When the source last changed it; nil when unknown.
    public var modified: Timestamp?
    /// Nil when the source names no picture.
    public var thumbnail: Thumbnail?
    public var comicCount: Int32
    public var seriesCount: Int32
    public var storyCount: Int32
    public var eventCount: Int32
    public var urls: [CharacterURL]

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

/// Where a character's picture is: `path`, a slash and a variant, a dot and the extension (MARVEL_API, "Images").
///
/// The built-in catalog has no web server behind it: its paths are relative (`emblem/1009610`), and the picture
/// itself comes from the service or from the stand-in gateway, which puts its own address in front.
public struct Thumbnail: Sendable, Hashable {
    /// Without variant and extension.
    public var path: String
    /// Without the dot: `jpg`, `gif`, `png`.
    public var fileExtension: String

    public init(path: String, fileExtension: String) {
        self.path = path
        self.fileExtension = fileExtension
    }
}

/// A page about a character: `type` is `detail`, `wiki` or `comiclink`.
public struct CharacterURL: Sendable, Hashable {
    public var type: String
    public var url: String

    public init(type: String, url: String) {
        self.type = type
        self.url = url
    }
}
