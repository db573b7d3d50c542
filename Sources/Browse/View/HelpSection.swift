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
                ("Tab, 1, 2", "the other tab, Search, Favorites"),
                ("?, F1", "this help"),
                ("r, Ctrl-R", "try again, or connect now"),
                ("q, Ctrl-C", "quit"),
            ]
        ),
        HelpSection(
            "Cards",
            [
                ("↑ ↓ ← →, k j h l", "move"),
                ("Space, click", "select"),
                ("Enter, second click", "save as a favorite, or remove"),
                ("u", "take the last change back; what returns is the newest"),
                ("d, o", "all about the character; Esc goes back"),
                ("Ctrl-D, Ctrl-U", "half a screen"),
                ("Page Down, Page Up", "a screen; also Ctrl-F, Ctrl-B, the wheel"),
                ("g, G, Home, End", "the first, the last"),
                ("x, Delete", "remove a favorite, or forget a recent search"),
                ("v", "list or grid"),
            ]
        ),
        HelpSection(
            "Searching",
            [
                ("/, i", "to the field"),
                ("↓ Enter", "take a suggestion"),
                ("Enter", "search at once"),
                ("Esc, ↓", "to the results"),
                ("Ctrl-T, m", "how names are compared"),
                ("Ctrl-A E K U W", "edit the line as in a shell"),
            ]
        ),
    ]
}
