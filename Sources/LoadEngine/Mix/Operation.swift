/// An operation that a load test can call.
package enum Operation: String, Sendable, Hashable, CaseIterable {
    /// SearchCharacters as a unary call that returns one page.
    case pages
    /// SearchCharacters as a stream of pages.
    case stream
    /// A complete result, page after page by page token, with a unary call for each.
    case walk
    /// ToggleFavorite.
    case toggle
    /// ListFavorites.
    case favorites

    /// Whether the operation returns several pages, so that the time to the first page is measured as well.
    package var hasFirstPage: Bool {
        switch self {
        case .stream, .walk: true
        case .pages, .toggle, .favorites: false
        }
    }

    /// Whether the operation requests pages of characters.
    package var isSearch: Bool {
        switch self {
        case .pages, .stream, .walk: true
        case .toggle, .favorites: false
        }
    }
}
