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

    package var attribution: String {
        let found = search.results?.attribution ?? ""
        return tab == .search && !found.isEmpty ? found : favorites.attribution
    }

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

    package var notice: [String] {
        guard count == 0 else { return [] }
        switch tab {
        case .favorites: return favorites.notice
        case .search: return search.failure.map { sentences(of: $0) } ?? search.notice
        }
    }

    var retryKey: String { isTyping ? "Ctrl-R" : "r" }

    private func sentences(of failure: FailureNotice) -> [String] {
        [failure.whatHappened, failure.whatToDo, failure.canRetry ? "\(retryKey) retries." : nil].compactMap(\.self)
    }

    package var position: String {
        let visible = cursor.visible(in: layout.grid, count: count)
        guard !visible.isEmpty else { return "" }
        let reason = size.columns < BrowseLayout.narrow ? "" : ": the source is unreachable"
        let stale = tab == .search && search.results?.isStale == true ? " · old data\(reason)" : ""
        return "\(visible.lowerBound + 1)–\(visible.upperBound) of \(count.grouped)\(stale)"
    }
}

extension SearchTab {
    package var hint: String? {
        do throws(SearchQuery.Refusal) {
            _ = try SearchQuery(field.text)
            return nil
        } catch {
            return error == .tooShort(letters: 0) ? nil : error.words
        }
    }

    fileprivate var notice: [String] {
        guard pendingResults == nil else { return ["Searching…"] }
        guard let results else { return [hint ?? "Type two letters of a character's name."] }
        guard results.total != nil else { return ["Searching…"] }
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
    var shownName: String { name.printable }
}

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

package struct FailureNotice: Error, Sendable, Hashable {
    private static let textLimit = 2_000

    package var whatHappened: String
    package var whatToDo: String?
    package var canRetry: Bool
    /// Whether no server could be reached. A reconnection retries the request.
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
