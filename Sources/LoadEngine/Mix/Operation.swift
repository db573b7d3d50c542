/// What a load test can call.
package enum Operation: String, Sendable, Hashable, CaseIterable {
    /// SearchCharacters as one page: a unary call.
    case pages
    /// SearchCharacters as a stream of pages.
    case stream
    /// A whole result, page after page by token: a unary call each.
    case walk
    /// ToggleFavorite.
    case toggle
    /// ListFavorites.
    case favorites

    /// Whether it brings pages one after the other, so that the first is worth a time of its own.
    package var hasFirstPage: Bool {
        switch self {
        case .stream, .walk: true
        case .pages, .toggle, .favorites: false
        }
    }

    /// Whether it asks for pages of characters.
    package var isSearch: Bool {
        switch self {
        case .pages, .stream, .walk: true
        case .toggle, .favorites: false
        }
    }
}
