internal import MarvelClient
internal import MarvelDomain

// The messages of `marvel.v1` with protobuf's JSON names, in the order of their fields. Every field is present, also
// with its default value; only messages that are not set are left out. 64-bit integers are JSON numbers.

extension JSONValue {
    init(_ page: SearchPage) {
        self = [
            "characters": .array(page.characters.map(JSONValue.init)),
            "total": .integer(Int64(page.total)),
            "nextPageToken": .string(page.nextPageToken),
            "favoriteIds": .array(page.favoriteIDs.map(JSONValue.integer)),
            "attribution": .string(page.attribution),
            "freshness": JSONValue(page.freshness),
        ]
    }

    /// `matches` has one element for each name, or none if the server does not tell.
    init(_ suggestions: NameSuggestions) {
        let matches = suggestions.suggestions.compactMap(\.match)
        let areAllKnown = matches.count == suggestions.names.count
        self = [
            "names": .array(suggestions.names.map(JSONValue.string)),
            "attribution": .string(suggestions.attribution),
            "matches": .array(areAllKnown ? matches.map(JSONValue.init) : []),
        ]
    }

    init(_ details: CharacterDetails) {
        self = [
            "character": JSONValue(details.character),
            "isFavorite": .bool(details.isFavorite),
            "attribution": .string(details.attribution),
            "freshness": JSONValue(details.freshness),
            "editRevision": .integer(details.editRevision),
        ]
    }

    /// Makes a `CreateCharacterResponse` or an `UpdateCharacterResponse`.
    init(_ result: CharacterEditResult) {
        self = [
            "character": JSONValue(result.character),
            "editRevision": .integer(result.editRevision),
            "attribution": .string(result.attribution),
        ]
    }

    /// Makes a description of the picture, with its size instead of its bytes.
    init(_ picture: CharacterPicture) {
        self = [
            "byteCount": .integer(Int64(picture.bytes.count)),
            "mediaType": .string(picture.mediaType),
            "variant": .string(picture.variant?.rawValue ?? "unknown"),
            "placeholder": .bool(picture.isPlaceholder),
            "freshness": JSONValue(picture.freshness),
            "attribution": .string(picture.attribution),
        ]
    }

    init(_ result: ToggleResult) {
        self = [
            "isFavorite": .bool(result.isFavorite),
            "revision": .integer(result.revision),
            "evicted": .array(result.evicted.map(JSONValue.init)),
            "place": JSONValue(result.place),
        ]
    }

    /// Makes a `DeleteListResponse`.
    init(_ deletion: ListDeletion) {
        self = [
            "revision": .integer(deletion.revision),
            "place": JSONValue(deletion.place),
            "existed": .bool(deletion.existed),
        ]
    }

    /// Makes a `NamedList`.
    init(_ list: ListInfo) {
        self = [
            "name": .string(list.name.text),
            "revision": .integer(list.revision),
            "favoriteCount": .integer(Int64(list.favoriteCount)),
        ]
    }

    init(_ listed: ListedFavorites) {
        var members: [(key: String, value: JSONValue)] = [
            ("favorites", .array(listed.list.favorites.map(JSONValue.init))),
            ("revision", .integer(listed.list.revision)),
            ("capacity", .integer(Int64(listed.list.capacity))),
            ("attribution", .string(listed.attribution)),
            ("place", JSONValue(listed.place)),
        ]
        if let age = listed.age { members.append(("age", .string(age.protobufJSON))) }
        self = .object(members)
    }

    /// Makes a `WatchFavoritesResponse`; nil for an event that is not from the server.
    init?(_ event: FavoritesEvent) {
        switch event {
        case .snapshot(let listed, let reset):
            let list: JSONValue = [
                "favorites": .array(listed.list.favorites.map(JSONValue.init)),
                "revision": .integer(listed.list.revision),
                "capacity": .integer(Int64(listed.list.capacity)),
                "reset": JSONValue(reset),
            ]
            self = [
                "snapshot": list, "attribution": .string(listed.attribution), "place": JSONValue(listed.place),
            ]
        case .changed(let change, let place):
            self = ["changed": JSONValue(change), "place": JSONValue(place)]
        case .progress(let revision, let place):
            self = ["progress": ["revision": .integer(revision)], "place": JSONValue(place)]
        case .interrupted:
            return nil
        }
    }

    private init(_ change: FavoritesChange) {
        var members: [(key: String, value: JSONValue)] = [("revision", .integer(change.revision))]
        if let saved = change.saved { members.append(("saved", JSONValue(saved))) }
        if let removed = change.removed { members.append(("removed", JSONValue(removed))) }
        members += [
            ("evicted", .array(change.evicted.map(JSONValue.init))),
            ("updated", .array(change.updated.map(JSONValue.init))),
            ("cleared", .array(change.cleared.map(JSONValue.init))),
            ("deleted", .bool(change.isDeletion)),
        ]
        self = .object(members)
    }

    /// Makes the text of the place; empty if the server sent none.
    private init(_ place: FavoritesPlace?) { self = .string(place?.text ?? "") }

    private init(_ reset: SnapshotReset?) {
        switch reset {
        case nil: self = "RESET_NONE"
        case .historyChanged: self = "RESET_HISTORY_CHANGED"
        case .compacted: self = "RESET_COMPACTED"
        }
    }

    init(_ favorite: Favorite) {
        self = ["character": JSONValue(favorite.character), "savedAt": .string(favorite.savedAt.rfc3339)]
    }

    init(_ character: MarvelCharacter) {
        var members: [(key: String, value: JSONValue)] = [
            ("id", .integer(character.id)),
            ("name", .string(character.name)),
            ("description", .string(character.description)),
        ]
        if let modified = character.modified { members.append(("modified", .string(modified.rfc3339))) }
        if let thumbnail = character.thumbnail { members.append(("thumbnail", JSONValue(thumbnail))) }
        members += [
            ("comicCount", .integer(Int64(character.comicCount))),
            ("seriesCount", .integer(Int64(character.seriesCount))),
            ("storyCount", .integer(Int64(character.storyCount))),
            ("eventCount", .integer(Int64(character.eventCount))),
            ("urls", .array(character.urls.map { ["type": .string($0.type), "url": .string($0.url)] })),
        ]
        self = .object(members)
    }

    private init(_ thumbnail: Thumbnail) {
        self = ["path": .string(thumbnail.path), "fileExtension": .string(thumbnail.fileExtension)]
    }

    private init(_ match: Match) {
        switch match {
        case .prefix: self = "MATCH_PREFIX"
        case .wordPrefix: self = "MATCH_WORD_PREFIX"
        case .substring: self = "MATCH_SUBSTRING"
        case .fuzzy: self = "MATCH_FUZZY"
        }
    }

    private init(_ freshness: DataFreshness) {
        self = [
            "source": JSONValue(freshness.source),
            "age": .string(freshness.age.protobufJSON),
            "isStale": .bool(freshness.isStale),
        ]
    }

    /// Makes the name of the source. A source without a name here is its number, as in protobuf.
    private init(_ source: DataFreshness.Source) {
        switch source {
        case .unspecified: self = "SOURCE_UNSPECIFIED"
        case .builtIn: self = "SOURCE_BUILT_IN"
        case .synthetic: self = "SOURCE_SYNTHETIC"
        case .gateway: self = "SOURCE_GATEWAY"
        case .cache: self = "SOURCE_CACHE"
        case .file: self = "SOURCE_FILE"
        case .other(let number): self = .integer(Int64(number))
        }
    }

    /// Makes a `GetCatalogInfoResponse`.
    init(_ info: CatalogInfo) {
        var members: [(key: String, value: JSONValue)] = [
            ("kind", JSONValue(info.kind)),
            ("characterCount", .integer(Int64(info.characterCount ?? 0))),
            ("matches", .array(info.matches.map(JSONValue.init))),
            ("attribution", .string(info.attribution)),
        ]
        if let loadedAt = info.loadedAt { members.append(("loadedAt", .string(loadedAt.rfc3339))) }
        members += [("serverVersion", .string(info.serverVersion)), ("history", .string(info.history))]
        self = .object(members)
    }

    private init(_ kind: CatalogInfo.Kind) {
        switch kind {
        case .builtIn: self = "KIND_BUILT_IN"
        case .synthetic: self = "KIND_SYNTHETIC"
        case .gateway: self = "KIND_GATEWAY"
        case .file: self = "KIND_FILE"
        case .other(let number): self = .integer(Int64(number))
        }
    }

    init(_ status: HealthStatus) {
        switch status {
        case .unknown: self = ["status": "UNKNOWN"]
        case .serving: self = ["status": "SERVING"]
        case .notServing: self = ["status": "NOT_SERVING"]
        case .serviceUnknown: self = ["status": "SERVICE_UNKNOWN"]
        case .other(let number): self = ["status": .integer(Int64(number))]
        }
    }
}
