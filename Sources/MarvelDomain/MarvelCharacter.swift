/// A character of a catalog.
///
/// Not named `Character`, because users of this type also use the standard library's type of that name.
public struct MarvelCharacter: Sendable, Hashable, Identifiable {
    /// The values, which copies share until one is changed. A toggle passes its character on often: full copies took a
    /// tenth of its time.
    @usableFromInline
    var storage: Storage

    /// The Marvel API's id of the character, above 0.
    @inlinable public var id: Int64 {
        get { storage.values.id }
        set { change { $0.id = newValue } }
    }

    /// The name as the source has it, leading and trailing spaces included.
    @inlinable public var name: String {
        get { storage.values.name }
        set { change { $0.name = newValue } }
    }

    /// The description: one paragraph of plain text, cleaned for display; empty for most characters.
    @inlinable public var description: String {
        get { storage.values.description }
        set { change { $0.description = newValue } }
    }

    /// The time of the source's last change of the character; nil if unknown.
    @inlinable public var modified: Timestamp? {
        get { storage.values.modified }
        set { change { $0.modified = newValue } }
    }

    /// The address of the character's picture; nil if the source has none.
    @inlinable public var thumbnail: Thumbnail? {
        get { storage.values.thumbnail }
        set { change { $0.thumbnail = newValue } }
    }

    @inlinable public var comicCount: Int32 {
        get { storage.values.comicCount }
        set { change { $0.comicCount = newValue } }
    }

    @inlinable public var seriesCount: Int32 {
        get { storage.values.seriesCount }
        set { change { $0.seriesCount = newValue } }
    }

    @inlinable public var storyCount: Int32 {
        get { storage.values.storyCount }
        set { change { $0.storyCount = newValue } }
    }

    @inlinable public var eventCount: Int32 {
        get { storage.values.eventCount }
        set { change { $0.eventCount = newValue } }
    }

    @inlinable public var urls: [CharacterURL] {
        get { storage.values.urls }
        set { change { $0.urls = newValue } }
    }

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
        storage = Storage(
            Values(
                id: id,
                name: name,
                description: description,
                modified: modified,
                thumbnail: thumbnail,
                comicCount: comicCount,
                seriesCount: seriesCount,
                storyCount: storyCount,
                eventCount: eventCount,
                urls: urls
            )
        )
    }

    @usableFromInline
    mutating func change(_ body: (inout Values) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        body(&storage.values)
    }

    public static func == (left: MarvelCharacter, right: MarvelCharacter) -> Bool {
        left.storage === right.storage || left.storage.values == right.storage.values
    }

    public func hash(into hasher: inout Hasher) { storage.values.hash(into: &hasher) }
}

extension MarvelCharacter {
    @usableFromInline
    struct Values: Sendable, Hashable {
        @usableFromInline var id: Int64
        @usableFromInline var name: String
        @usableFromInline var description: String
        @usableFromInline var modified: Timestamp?
        @usableFromInline var thumbnail: Thumbnail?
        @usableFromInline var comicCount: Int32
        @usableFromInline var seriesCount: Int32
        @usableFromInline var storyCount: Int32
        @usableFromInline var eventCount: Int32
        @usableFromInline var urls: [CharacterURL]
    }

    /// `@unchecked Sendable`: `change` first copies values that another character shares.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline var values: Values

        init(_ values: Values) { self.values = values }
    }
}

/// The address of a character's picture, in the Marvel API's form.
///
/// The full address is `path`, a slash and a variant, a dot and the extension. The built-in catalog has no web server:
/// its paths are relative (`emblem/1009610`). The service itself serves their pictures, and the stand-in gateway
/// prepends its own address.
public struct Thumbnail: Sendable, Hashable {
    public var path: String
    public var fileExtension: String

    public init(path: String, fileExtension: String) {
        self.path = path
        self.fileExtension = fileExtension
    }
}

extension Thumbnail {
    /// Returns the address of the emblem that this project draws for a character: a path without a host, because the
    /// host depends on the server.
    package static func emblem(of id: Int64) -> Thumbnail {
        Thumbnail(path: "emblem/\(id)", fileExtension: "png")
    }
}

/// A link to a web page about a character.
public struct CharacterURL: Sendable, Hashable {
    public var type: String
    public var url: String

    public init(type: String, url: String) {
        self.type = type
        self.url = url
    }
}

extension MarvelCharacter {
    /// In bytes.
    package var estimatedByteCount: Int {
        urls.reduce(256 + name.utf8.count + description.utf8.count) { $0 + $1.type.utf8.count + $1.url.utf8.count + 64 }
    }
}
