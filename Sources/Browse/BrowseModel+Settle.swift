internal import MarvelDomain
internal import TerminalUI

/// What follows from the state, whatever led to it.
extension BrowseModel {
    mutating func settle() -> [BrowseEffect] {
        moveCursor { $0.keepInView(in: $1, count: $2) }
        keepSheetInView()
        retryLostSearch()
        if search.suggestions.chosen != nil { search.suggestions.keepChosen(within: layout.suggestions.height) }
        let asks = askForRows()
        return asks + timeWait(asks) + askForPictures() + turnSpinner()
    }

    /// A search may learn later than the list that the server was gone. Once for each time it comes back: what fails
    /// again then would fail for ever.
    private mutating func retryLostSearch() {
        guard mayRetryLostSearch, favorites.isLive, search.trouble?.isConnectionLost == true else { return }
        mayRetryLostSearch = false
        search.retry()
    }

    /// A sheet is scrolled to its last line and no further.
    private mutating func keepSheetInView() {
        switch sheet {
        case .detail(var detail) where detail.scroll != 0:
            guard let text = layout.detail?.text else { return }
            let lines = DetailText(self, detail.character, width: text.width).lines
            detail.scroll = max(min(detail.scroll, lines.count - text.height), 0)
            sheet = .detail(detail)
        case .help(let scroll) where scroll != 0:
            guard let area = layout.help else { return }
            sheet = .help(scroll: max(min(scroll, HelpSection.lines(width: area.width).count - area.height), 0))
        case .detail, .help, nil: break
        }
    }

    /// Something is under way that the person waits for.
    var isBusy: Bool { search.isLoading || toggles.isAnyPending || !pictures.loading.isEmpty }

    private mutating func askForRows() -> [BrowseEffect] {
        // Nothing more is asked for while it cannot be seen; a search that has begun goes on.
        let isVisible = tab == .search && !layout.isTooSmall
        guard isVisible || search.coming != nil else { return [] }
        let grid = layout.grid
        let visible = list == .results ? cursor.visible(in: grid, count: count) : 0..<0
        // What fills the screen, so that one page is one screen where that can be.
        let pageSize = min(max(grid.visibleCount, 10), 100)
        return search.ask(for: visible, pageSize: pageSize)
    }

    /// Counted from the last page that was asked for.
    private mutating func timeWait(_ asks: [BrowseEffect]) -> [BrowseEffect] {
        guard search.isLoading else {
            defer { wait = nil }
            return wait == .short ? [.stopTimer(.longWait)] : []
        }
        guard asks.contains(where: \.asksForPage) else { return [] }
        wait = .short
        return [.startTimer(.longWait)]
    }

    private mutating func askForPictures() -> [BrowseEffect] {
        guard pictures.isEnabled else { return [] }
        return pictures.want(wantedPictures)
    }

    /// The one that fills the screen; or those on the screen, and of the row behind it.
    private var wantedPictures: [PictureKey] {
        let layout = layout
        guard !layout.isTooSmall else { return [] }
        if case .detail(let detail) = sheet {
            return detail.character.thumbnail == nil ? [] : [PictureKey(detail.character.id, .detail)]
        }
        return previewPicture(layout) + cardPictures(layout)
    }

    private func previewPicture(_ layout: BrowseLayout) -> [PictureKey] {
        guard layout.preview?.picture != nil, let character = selectedCharacter, character.thumbnail != nil else {
            return []
        }
        return [PictureKey(character.id, .detail)]
    }

    private func cardPictures(_ layout: BrowseLayout) -> [PictureKey] {
        guard layout.grid.picture != nil, list != .recentSearches else { return [] }
        let visible = cursor.visible(in: layout.grid, count: count)
        let places = visible.lowerBound..<min(visible.upperBound + layout.grid.columns, count)
        return places.compactMap { place in
            character(at: place).flatMap { $0.thumbnail == nil ? nil : PictureKey($0.id, .card) }
        }
    }

    /// The timer runs only while there is something to wait for.
    private mutating func turnSpinner() -> [BrowseEffect] {
        guard isBusy != (spinner != nil) else { return [] }
        spinner = isBusy ? 0 : nil
        return [isBusy ? .startTimer(.spinner) : .stopTimer(.spinner)]
    }
}

extension BrowseEffect {
    fileprivate var asksForPage: Bool {
        switch self {
        case .startSearch, .nextPage: true
        default: false
        }
    }
}
