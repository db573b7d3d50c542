package struct HelpSection: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var keys: String
        package var meaning: String
    }

    package var title: String
    package var entries: [Entry]

    private init(_ title: String, _ entries: [(keys: String, meaning: String)]) {
        self.title = title
        self.entries = entries.map { Entry(keys: $0.keys, meaning: $0.meaning) }
    }

    package static let all = [
        HelpSection(
            "Everywhere",
            [
                ("Tab, 1, 2", "other tab, Search, Favorites"),
                ("?, F1", "this help"),
                ("r, Ctrl-R", "retry, or reconnect now"),
                ("q, Ctrl-C", "quit"),
            ]
        ),
        HelpSection(
            "Cards",
            [
                ("↑ ↓ ← →, k j h l", "move"),
                ("Space, click", "select"),
                ("Enter, second click", "save as a favorite, or remove"),
                ("u", "undo the last change; restored favorites become newest"),
                ("d, o", "show the details; Esc goes back"),
                ("Ctrl-D, Ctrl-U", "half a page"),
                ("Page Down, Page Up", "a page; also Ctrl-F, Ctrl-B, the wheel"),
                ("g, G, Home, End", "first, last"),
                ("x, Delete", "remove a favorite, or forget a recent search"),
                ("v", "switch between list and grid"),
            ]
        ),
        HelpSection(
            "Searching",
            [
                ("/, i", "go to the search field"),
                ("↓ Enter", "accept a suggestion"),
                ("Enter", "search now"),
                ("Esc, ↓", "go to the results"),
                ("Ctrl-T, m", "change how names match"),
                ("Ctrl-A E K U W", "edit the line as in a shell"),
            ]
        ),
    ]
}
