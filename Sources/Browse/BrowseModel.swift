package import Foundation
package import MarvelDomain
package import TerminalUI

/// The app, without a terminal and without a network: all that the screen shows is in here.
///
/// `update` takes in what happened and tells what has to be done. Equal models look the same.
package struct BrowseModel: Sendable, Equatable {
    package enum Tab: Sendable, Hashable, CaseIterable {
        case search
        case favorites
    }

    /// What lies over a tab.
    package enum Sheet: Sendable, Equatable {
        case detail(Detail)
        case help(scroll: Int)
    }

    /// How long a page of a search has been awaited.
    enum Wait: Sendable, Equatable {
        case short
        case long
    }

    package internal(set) var size: TerminalSize
    package internal(set) var style: CardStyle
    package internal(set) var tab = Tab.search
    package internal(set) var sheet: Sheet?
    package internal(set) var search = SearchTab()
    package internal(set) var favorites = FavoritesTab()
    package internal(set) var toggles = Toggles()
    package internal(set) var pictures: Pictures
    package internal(set) var message: Message?
    /// Counts while something is under way; nil when nothing is.
    package internal(set) var spinner: Int?
    /// Nil if no page is awaited.
    var wait: Wait?
    /// The server was gone, and no search that failed by that has been run again since it is back.
    var mayRetryLostSearch = false
    package internal(set) var isOver = false
    /// Whether it was ended by Ctrl-C.
    package internal(set) var isInterrupted = false
    /// The character whose card was clicked last, until anything else is done.
    var clicked: Int64?
    package internal(set) var lastChange: LastChange?
    /// The change that is being taken back.
    var undo: LastChange?
    /// The zone that times are shown in.
    package let timeZone: TimeZone

    package init(
        size: TerminalSize,
        style: CardStyle = .list,
        showsPictures: Bool = true,
        timeZone: TimeZone = .gmt
    ) {
        self.timeZone = timeZone
        self.size = size
        self.style = style
        self.pictures = Pictures(isEnabled: showsPictures)
    }

    /// What has to be done before anything has happened.
    package var firstEffects: [BrowseEffect] { [.loadRecentSearches, .followFavorites] }
}

/// A character that fills the screen.
package struct Detail: Sendable, Equatable {
    package var character: MarvelCharacter
    /// Lines of its text that are above the screen.
    package var scroll = 0

    package init(_ character: MarvelCharacter) { self.character = character }
}
