public import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The fields of a character to set. A nil field stays unchanged.
public struct CharacterChanges: Sendable, Hashable {
    public enum PictureChange: Sendable, Hashable {
        /// Sets an encoded PNG, JPEG or GIF picture of at most 1 MiB.
        case set([UInt8])
        /// Removes the edited picture: the source's picture is shown again.
        case remove
    }

    public var name: String?
    public var description: String?
    public var comicCount: Int32?
    public var seriesCount: Int32?
    public var storyCount: Int32?
    public var eventCount: Int32?
    /// The complete new set of web pages, or nil.
    public var urls: [CharacterURL]?
    public var picture: PictureChange?

    public init(
        name: String? = nil,
        description: String? = nil,
        comicCount: Int32? = nil,
        seriesCount: Int32? = nil,
        storyCount: Int32? = nil,
        eventCount: Int32? = nil,
        urls: [CharacterURL]? = nil,
        picture: PictureChange? = nil
    ) {
        self.name = name
        self.description = description
        self.comicCount = comicCount
        self.seriesCount = seriesCount
        self.storyCount = storyCount
        self.eventCount = eventCount
        self.urls = urls
        self.picture = picture
    }
}

extension CharacterChanges {
    func character(id: Int64) -> MarvelCharacter {
        MarvelCharacter(
            id: id,
            name: name ?? "",
            description: description ?? "",
            comicCount: comicCount ?? 0,
            seriesCount: seriesCount ?? 0,
            storyCount: storyCount ?? 0,
            eventCount: eventCount ?? 0,
            urls: urls ?? []
        )
    }

    var upload: PictureUpload? {
        guard case .set(let bytes) = picture else { return nil }
        return PictureUpload(data: ByteBuffer(bytes: bytes))
    }

    var mask: FieldMask? {
        let fields: [(String, Bool)] = [
            ("name", name != nil), ("description", description != nil), ("comic_count", comicCount != nil),
            ("series_count", seriesCount != nil), ("story_count", storyCount != nil),
            ("event_count", eventCount != nil), ("urls", urls != nil), ("picture", picture != nil),
        ]
        let paths = fields.filter { $1 }.map { $0.0 }
        return paths.isEmpty ? nil : FieldMask(paths)
    }
}

public struct CharacterEditResult: Sendable, Hashable {
    /// The character as it is now.
    public var character: MarvelCharacter
    /// The revision of the character's last edit. Pass it with the next edit, to prevent overwriting unseen edits.
    public var editRevision: Int64
    /// Attribution text to show with the data.
    public var attribution: String
}

extension CharacterEditResult {
    init(_ character: MarvelCharacter?, _ editRevision: Int64, _ attribution: String) throws(RPCError) {
        guard let character else { throw .responseInvalid("the server's answer has no character") }
        self.init(character: character, editRevision: editRevision, attribution: attribution)
    }
}
