internal import MarvelDomain
internal import TerminalUI

extension BrowseModel {
    package func label(of tab: Tab) -> String {
        switch tab {
        case .search: return "1 Search"
        case .favorites:
            guard let list = favorites.list else { return "2 Favorites" }
            return "2 Favorites \(list.favorites.count)/\(list.capacity)"
        }
    }

    /// Attribution text to show with the data; may be empty.
    package var attribution: String {
        let found = search.results?.attribution ?? ""
        return tab == .search && !found.isEmpty ? found : favorites.attribution
    }

    /// A banner for a lost connection, or for a failed search with results on the screen.
    package var banner: String? {
        switch favorites.connection {
        case .connecting, .live: break
        case .lost(let failure, _):
            let seconds = favorites.secondsToNextTry ?? 0
            let next = seconds > 0 ? "Retrying in \(seconds) s; \(retryKey) retries now." : "Trying now…"
            return "\(failure.whatHappened) \(next)"
        case .ended(let failure): return "\(failure.text) \(retryKey) reconnects."
        }
        // Without rows, `notice` shows the failure in the middle.
        guard tab == .search, let results = search.results, results.count > 0 else { return nil }
        return results.failure.map { sentences(of: $0).joined(separator: " ") }
    }

    /// The lines in the middle of a screen without cards.
    package var notice: [String] {
        guard count == 0 else { return [] }
        switch list {
        case .favorites: return favorites.notice
        case .recentSearches: return [search.hint ?? "Type two letters of a character's name."]
        case .results: return search.failure.map { sentences(of: $0) } ?? search.notice
        }
    }

    /// The key that retries: `r`, or Ctrl-R in the search field.
    var retryKey: String { isTyping ? "Ctrl-R" : "r" }

    private func sentences(of failure: FailureNotice) -> [String] {
        [failure.whatHappened, failure.whatToDo, failure.canRetry ? "\(retryKey) retries." : nil].compactMap(\.self)
    }

    /// The range of cards on the screen and the number of all cards.
    package var position: String {
        let visible = cursor.visible(in: layout.grid, count: count)
        guard !visible.isEmpty else { return "" }
        let reason = size.columns < BrowseLayout.narrow ? "" : ": the source is unreachable"
        let stale = list == .results && search.results?.isStale == true ? " · old data\(reason)" : ""
        return "\(visible.lowerBound + 1)–\(visible.upperBound) of \(count.grouped)\(stale)"
    }
}

extension SearchTab {
    /// The reason why the text in the field is not a valid query; nil if it is valid, or if the field is empty.
    package var hint: String? {
        do throws(SearchQuery.Refusal) {
            _ = try SearchQuery(field.text)
            return nil
        } catch {
            return error == .tooShort(letters: 0) ? nil : error.words
        }
    }

    fileprivate var notice: [String] {
        guard let results else { return ["Searching…"] }
        guard results.total != nil, pendingResults == nil else { return ["Searching…"] }
        return [
            "No character: “\(results.query)” · \(results.match.words).",
            "Ctrl-T changes how names match.",
        ]
    }
}

extension SearchQuery.Refusal {
    var words: String {
        switch self {
        case .tooShort(letters: 0): "A search needs two letters."
        case .tooShort: "One more letter: a search needs two."
        case .tooLong(let letters): "A search has at most 100 letters; this has \(letters)."
        }
    }
}

extension FavoritesTab {
    fileprivate var notice: [String] {
        guard list != nil else { return isLive || connection == .connecting ? ["Connecting…"] : ["No data yet."] }
        return ["No favorites yet.", "Find a character in the Search tab, and press Enter to save it."]
    }
}

extension MarvelCharacter {
    /// The name made printable. The source's names may contain control characters and surrounding spaces.
    var shownName: String { name.printable }
}

/// A message until the next key or click. One of kind `info` also disappears after a timeout.
package struct Message: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case info
        case failure
    }

    package var text: String
    package var kind: Kind
    /// The change that `r` requests again. The message disappears once the list shows the change.
    var retry: FavoriteChange?
    var isUndoable = false

    init(_ text: String, kind: Kind = .info, retry: FavoriteChange? = nil) {
        self.text = text
        self.kind = kind
        self.retry = retry
    }
}

/// A failure in words for the user.
package struct FailureNotice: Error, Sendable, Hashable {
    /// The maximum size of a text from a server, in bytes.
    private static let textLimit = 2_000

    /// Whole sentences.
    package var whatHappened: String
    package var whatToDo: String?
    /// Whether a retry may succeed. Then `r` retries.
    package var canRetry: Bool
    /// Whether no server could be reached. The request is retried automatically after a reconnection.
    package var isConnectionLost: Bool
    /// Whether the failed request may have been carried out, because no answer arrived.
    package var mayHaveHappened: Bool

    package init(
        _ whatHappened: String,
        whatToDo: String? = nil,
        canRetry: Bool = true,
        isConnectionLost: Bool = false,
        mayHaveHappened: Bool = false
    ) {
        self.whatHappened = whatHappened.cut(to: FailureNotice.textLimit)
        self.whatToDo = whatToDo
        self.canRetry = canRetry
        self.isConnectionLost = isConnectionLost
        self.mayHaveHappened = mayHaveHappened
    }

    package var text: String { [whatHappened, whatToDo].compactMap(\.self).joined(separator: " ") }
}
