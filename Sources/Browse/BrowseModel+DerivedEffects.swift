internal import MarvelDomain
internal import TerminalUI

/// Changes and effects that follow from the state after every event.
extension BrowseModel {
    mutating func deriveEffects() -> [BrowseEffect] {
        moveCursor { $0.keepInView(in: $1, count: $2) }
        keepSheetInView()
        retryLostSearch()
        if search.suggestions.chosen != nil { search.suggestions.keepChosen(within: layout.suggestions.height) }
        return askForRows() + askForPictures() + turnSpinner()
    }

    /// Retries a search that failed with the connection, once for each reconnection. It runs after every event, because
    /// the search may fail later than the list reports the loss.
    private mutating func retryLostSearch() {
        guard mayRetryLostSearch, favorites.isLive, search.failure?.isConnectionLost == true else { return }
        mayRetryLostSearch = false
        search.retry()
    }

    private mutating func keepSheetInView() {
        guard sheetScroll != 0, let area = layout.sheetText else { return }
        sheetScroll = max(min(sheetScroll, sheetLines(width: area.width).count - area.height), 0)
    }

    var isBusy: Bool { search.isLoading || toggles.isAnyPending || !pictures.loading.isEmpty }

    private mutating func askForRows() -> [BrowseEffect] {
        // Invisible rows are not requested, except for the first page of a new search.
        let isVisible = tab == .search && !layout.isTooSmall
        guard isVisible || search.pendingResults != nil else { return [] }
        let grid = layout.grid
        let visible = list == .results ? cursor.visible(in: grid, count: count) : 0..<0
        // A page is one screen, within 10 to 100 rows.
        let pageSize = min(max(grid.visibleCount, 10), 100)
        return search.ask(for: visible, pageSize: pageSize)
    }

    private mutating func askForPictures() -> [BrowseEffect] {
        guard pictures.isEnabled else { return [] }
        return pictures.want(wantedPictures)
    }

    /// The pictures to load: the detail sheet's, else those of the visible cards and of the next row.
    private var wantedPictures: [PictureKey] {
        let layout = layout
        guard !layout.isTooSmall else { return [] }
        if case .detail(let character) = sheet {
            return character.thumbnail == nil ? [] : [PictureKey(character.id, .detail)]
        }
        return cardPictures(layout)
    }

    private func cardPictures(_ layout: BrowseLayout) -> [PictureKey] {
        guard layout.grid.picture != nil, list != .recentSearches else { return [] }
        let visible = cursor.visible(in: layout.grid, count: count)
        let places = visible.lowerBound..<min(visible.upperBound + layout.grid.columns, count)
        return places.compactMap { place in
            character(at: place).flatMap { $0.thumbnail == nil ? nil : PictureKey($0.id, .card) }
        }
    }

    private mutating func turnSpinner() -> [BrowseEffect] {
        guard isBusy != (spinner != nil) else { return [] }
        spinner = isBusy ? 0 : nil
        return [isBusy ? .startTimer(.spinner) : .stopTimer(.spinner)]
    }
}
