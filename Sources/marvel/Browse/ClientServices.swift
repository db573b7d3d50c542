internal import Browse
internal import Dispatch
internal import MarvelClient
internal import MarvelDomain
internal import Terminal
internal import TerminalUI

/// The service and the local machine, in the form that the app needs.
struct ClientServices: BrowseServices {
    let client: MarvelClient
    let servers: [ServerEndpoint]
    let list: ListName
    /// For a call with one response.
    let timeout: Duration
    let recentSearches: RecentSearchesFile
    let pictures = PictureWorker()

    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError> {
        client.searchCharacters(
            request.query.text,
            match: request.match,
            pageSize: request.pageSize,
            pageToken: request.pageToken,
            skip: request.skip,
            list: list
        )
    }

    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion] {
        try await client.suggestNames(typed, timeout: timeout).suggestions
    }

    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never> {
        client.connectNow()
        return client.liveFavorites(list: list)
    }

    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult {
        try await client.toggleFavorite(characterID, desired: desired, list: list, timeout: timeout)
    }

    func picture(_ key: PictureKey) async throws -> PixelImage? {
        let picture: CharacterPicture
        do {
            picture = try await client.thumbnail(of: key.characterID, variant: key.size.variant, timeout: timeout)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        return picture.isPlaceholder ? nil : try await pictures.image(picture.bytes, for: key.size)
    }

    func loadRecentSearches() async -> [String] { await recentSearches.load() }

    func saveRecentSearches(_ queries: [String]) async { await recentSearches.save(queries) }

    func notice(_ error: RPCError) -> FailureNotice { FailureNotice(error, servers) }
}

extension FailureNotice {
    init(_ error: RPCError, _ servers: [ServerEndpoint]) {
        let text = ErrorText(error: error, servers: servers)
        self.init(
            error.message.printable.isEmpty ? "The server refused the call and gave no reason." : text.whatHappened,
            // Advice for the command line does not help on a screen.
            whatToDo: [.deadlineExceeded, .notFound].contains(error.code) ? nil : text.whatToDo,
            canRetry: error.isTransient || error.code == .deadlineExceeded,
            isConnectionLost: error.origin == .local && error.code == .unavailable,
            mayHaveHappened: text.isOutcomeUnknown
        )
    }
}

extension PictureKey.Size {
    /// For a card it is the variant that the server keeps of favorites.
    var variant: ImageVariant {
        switch self {
        case .card: .standardLarge
        case .detail: .detail
        }
    }
}

final class PictureWorker: Sendable {
    private let queue = DispatchQueue(label: "pictures", qos: .utility)

    /// Decodes a picture, one at a time, on a thread of its own. A picture larger than `size` is reduced.
    ///
    /// - Throws: `PictureDecodingError`.
    func image(_ bytes: [UInt8], for size: PictureKey.Size) async throws -> PixelImage {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try PictureDecoder().decode(bytes).reduced(to: size.largestSide) }
                )
            }
        }
    }
}

extension PictureKey.Size {
    /// The largest side in pixels, above the size that any window needs.
    fileprivate var largestSide: Int {
        switch self {
        case .card: 400
        case .detail: 1_200
        }
    }
}

extension PixelImage {
    /// The picture with the same aspect ratio, and no side longer than `largestSide`.
    fileprivate func reduced(to largestSide: Int) -> PixelImage {
        let longest = max(width, height)
        guard longest > largestSide else { return self }
        let size = PixelSize(
            width: max(width * largestSide / longest, 1),
            height: max(height * largestSide / longest, 1)
        )
        return fitted(to: size, .contain) ?? self
    }
}
