package import MarvelDomain
package import TerminalUI

/// The state of the app, independent of terminal and network.
///
/// `update` handles an event and returns the effects to carry out. Equal models are drawn identically.
package struct BrowseModel: Sendable, Equatable {
    package enum Tab: Sendable, Hashable, CaseIterable {
        case search
        case favorites
    }

    package enum Sheet: Sendable, Equatable {
        case detail(MarvelCharacter)
        case help
    }

    package internal(set) var size: TerminalSize
    package internal(set) var style: CardStyle
    package internal(set) var tab = Tab.search
    package internal(set) var sheet: Sheet? { didSet { sheetScroll = 0 } }
    /// The number of text lines scrolled off above the sheet.
    package internal(set) var sheetScroll = 0
    package internal(set) var search = SearchTab()
    package internal(set) var favorites = FavoritesTab()
    package internal(set) var toggles = Toggles()
    package internal(set) var pictures: Pictures
    package internal(set) var message: Message?
    /// The frame number of the spinner; nil while nothing is in progress.
    package internal(set) var spinner: Int?
    /// Whether a search that failed with the connection is still to be retried.
    var mayRetryLostSearch = false
    package internal(set) var isOver = false
    /// Whether the user ended the app with Ctrl-C.
    package internal(set) var isInterrupted = false
    /// The character of the last clicked card; nil after any other input.
    var clicked: Int64?
    var lastChange: FavoriteChange?
    var undo: FavoriteChange?

    package init(size: TerminalSize, style: CardStyle = .list, showsPictures: Bool = true) {
        self.size = size
        self.style = style
        self.pictures = Pictures(isEnabled: showsPictures)
    }

    package var firstEffects: [BrowseEffect] { [.loadRecentSearches, .followFavorites] }
}
