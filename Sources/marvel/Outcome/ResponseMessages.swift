internal import MarvelClient
internal import MarvelDomain
internal import WireMessages

// The responses of the server, for `--json`: it prints them as Connect sends them.

extension SearchCharactersResponse {
    init(_ page: SearchPage) {
        self.init(
            characters: page.characters,
            total: Int32(clamping: page.total),
            nextPageToken: page.nextPageToken,
            favoriteIDs: page.favoriteIDs,
            attribution: page.attribution,
            freshness: Freshness(page.freshness)
        )
    }
}

extension SuggestNamesResponse {
    /// `matches` has one element for each name, or none if the server does not tell.
    init(_ suggestions: NameSuggestions) {
        let matches = suggestions.suggestions.compactMap(\.match)
        self.init(
            names: suggestions.names,
            attribution: suggestions.attribution,
            matches: matches.count == suggestions.names.count ? matches.map { MatchValue($0) } : []
        )
    }
}

extension GetCharacterResponse {
    init(_ details: CharacterDetails) {
        self.init(
            character: details.character,
            isFavorite: details.isFavorite,
            attribution: details.attribution,
            freshness: Freshness(details.freshness),
            editRevision: details.editRevision
        )
    }
}

extension UpdateCharacterResponse {
    /// Makes the response to an edit. That to the creation of a character has the same fields.
    init(_ result: CharacterEditResult) {
        self.init(character: result.character, editRevision: result.editRevision, attribution: result.attribution)
    }
}

extension GetThumbnailResponse {
    /// Makes the response without the picture, which is in a file.
    init(withoutData picture: CharacterPicture) {
        self.init(
            mediaType: picture.mediaType,
            variant: picture.variant?.rawValue ?? "unknown",
            isPlaceholder: picture.isPlaceholder,
            freshness: Freshness(picture.freshness),
            attribution: picture.attribution
        )
    }
}

extension ToggleFavoriteResponse {
    init(_ result: ToggleResult) {
        self.init(
            isFavorite: result.isFavorite,
            revision: result.revision,
            evicted: result.evicted,
            place: result.place?.text ?? ""
        )
    }
}

extension DeleteListResponse {
    init(_ deletion: ListDeletion) {
        self.init(revision: deletion.revision, place: deletion.place?.text ?? "", existed: deletion.existed)
    }
}

extension NamedList {
    init(_ list: ListInfo) {
        self.init(name: list.name.text, revision: list.revision, favoriteCount: Int32(clamping: list.favoriteCount))
    }
}

extension ListFavoritesResponse {
    init(_ listed: ListedFavorites) {
        self.init(
            favorites: listed.list.favorites,
            revision: listed.list.revision,
            capacity: Int32(clamping: listed.list.capacity),
            attribution: listed.attribution,
            place: listed.place?.text ?? "",
            age: listed.age
        )
    }
}

extension WatchFavoritesResponse {
    /// Makes the response; nil for an event that is not from the server.
    init?(_ event: FavoritesEvent) {
        switch event {
        case .snapshot(let listed, let reset):
            self.init(
                .snapshot(listed.list, reset: reset),
                attribution: listed.attribution,
                place: listed.place?.text ?? ""
            )
        case .changed(let change, let place): self.init(.changed(change), place: place?.text ?? "")
        case .progress(let revision, let place): self.init(.progress(revision: revision), place: place?.text ?? "")
        case .interrupted: return nil
        }
    }
}

extension GetCatalogInfoResponse {
    init(_ info: CatalogInfo) {
        self.init(
            kind: Kind(info.kind),
            characterCount: Int32(clamping: info.characterCount ?? 0),
            matches: info.matches.map { MatchValue($0) },
            attribution: info.attribution,
            loadedAt: info.loadedAt,
            serverVersion: info.serverVersion,
            history: info.history
        )
    }
}

extension GetCatalogInfoResponse.Kind {
    fileprivate init(_ kind: CatalogInfo.Kind) {
        switch kind {
        case .builtIn: self = .builtIn
        case .synthetic: self = .synthetic
        case .gateway: self = .gateway
        case .file: self = .file
        case .other(let number): self.init(rawValue: number)
        }
    }
}

extension HealthCheckResponse {
    init(_ status: HealthStatus) {
        switch status {
        case .unknown: self.init(status: .unknown)
        case .serving: self.init(status: .serving)
        case .notServing: self.init(status: .notServing)
        case .serviceUnknown: self.init(status: .serviceUnknown)
        case .other(let number): self.init(status: ServingStatus(rawValue: number))
        }
    }
}

extension Freshness {
    fileprivate init(_ freshness: DataFreshness) {
        let source: Source =
            switch freshness.source {
            case .unspecified: .unspecified
            case .builtIn: .builtIn
            case .synthetic: .synthetic
            case .gateway: .gateway
            case .cache: .cache
            case .file: .file
            case .other(let number): Source(rawValue: number)
            }
        self.init(source: source, age: freshness.age, isStale: freshness.isStale)
    }
}
