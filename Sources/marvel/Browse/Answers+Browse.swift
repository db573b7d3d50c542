internal import Browse
internal import MarvelClient
internal import MarvelDomain
internal import TerminalUI

extension FoundPage {
    init(_ page: SearchPage) {
        self.init(
            characters: page.characters,
            favoriteIDs: page.favoriteIDs,
            total: page.total,
            nextPageToken: page.nextPageToken,
            attribution: page.attribution,
            isStale: page.freshness.isStale
        )
    }
}

extension FavoritesState {
    init(_ state: LiveFavorites.State, servers: [ServerEndpoint]) {
        let connection: Connection =
            switch state.connection {
            case .connecting: .connecting
            case .live: .live
            case .lost(let error, let nextTry):
                .lost(FailureNotice(error, servers), nextTry: max(nextTry - .now, .zero))
            case .ended(let error): .ended(FailureNotice(error, servers))
            }
        self.init(list: state.list, attribution: state.attribution, connection: connection)
    }
}

extension FailureNotice {
    /// Makes the text for a failed call.
    init(_ error: RPCError, _ servers: [ServerEndpoint]) {
        let text = ErrorText(error: error, servers: servers)
        self.init(
            error.message.printable.isEmpty ? "The server refused, and gave no reason." : text.whatHappened,
            // Advice for the command line does not help on a screen.
            whatToDo: [.deadlineExceeded, .notFound].contains(error.code) ? nil : text.whatToDo,
            canRetry: error.isTransient || error.code == .deadlineExceeded,
            isConnectionLost: error.origin == .local && error.code == .unavailable,
            mayHaveHappened: text.isOutcomeUnknown
        )
    }
}

extension DesiredFavorite {
    init(_ desired: Toggle.Desired) {
        switch desired {
        case .toggle: self = .toggle
        case .saved: self = .saved
        case .removed: self = .removed
        }
    }
}

extension PictureKey.Size {
    /// The variant to request. For a card it is the variant that the server keeps of favorites.
    var variant: ImageVariant {
        switch self {
        case .card: .standardLarge
        case .detail: .detail
        }
    }
}
