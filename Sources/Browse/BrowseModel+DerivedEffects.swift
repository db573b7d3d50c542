internal import MarvelDomain
internal import TerminalUI

/// Changes and effects that are derived from the state after every event.
extension BrowseModel {
    mutating func deriveEffects() -> [BrowseEffect] {
        moveCursor { $0.keepInView(in: $1, count: $2) }
        keepSheetInView()
        retryLostSearch()
        if search.suggestions.chosen != nil { search.suggestions.keepChosen(within: layout.suggestions.height) }
        return askForRows() + askForPictures() + turnSpinner()
    }

    /// Retries a search that failed because the connection was lost, once for each reconnection. It runs after every
    /// event, because the search may fail later than the list reports the loss. A second retry would only fail again.
    private mutating func retryLostSearch() {
        guard mayRetryLostSearch, favorites.isLive, search.failure?.isConnectionLost == true else { return }
        mayRetryLostSearch = false
        search.retry()
    }

    /// Limits the scroll position of a sheet to its lines.
    private mutating func keepSheetInView() {
        guard sheetScroll != 0, let area = layout.sheetText else { return }
        sheetScroll = max(min(sheetScroll, sheetLines(width: area.width).count - area.height), 0)
    }

    /// Whether a request is in progress for which the user waits.
    var isBusy: Bool { search.isLoading || toggles.isAnyPending || !pictures.loading.isEmpty }

    private mutating func askForRows() -> [BrowseEffect] {
        // Rows that are not visible are not requested. The first page of a new search is requested in any case.
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

    /// The pictures to load: the one of the detail sheet, else those of the visible cards and of the row after them.
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

    /// Starts or stops the spinner. Its timer runs only while the user waits for a request.
    private mutating func turnSpinner() -> [BrowseEffect] {
        guard isBusy != (spinner != nil) else { return [] }
        spinner = isBusy ? 0 : nil
        return [isBusy ? .startTimer(.spinner) : .stopTimer(.spinner)]
    }
}
