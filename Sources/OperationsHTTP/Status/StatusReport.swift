package struct StatusReport: Sendable {
    package enum State: Sendable, Hashable {
        case serving
        /// The text is the reason.
        case degraded(String)
        case draining
    }

    /// A word or a sign says the same: color alone tells not everybody.
    package enum Tone: String, Sendable, Hashable {
        case plain
        case good
        case warning
        case bad
    }

    package struct Tile: Sendable, Hashable {
        package let name: String
        package let value: String
        package let note: String
        package let tone: Tone
        /// The values of the last minutes, oldest first; fewer than two are not drawn.
        package let history: [Double]

        package init(_ name: String, _ value: String, note: String = "", tone: Tone = .plain, history: [Double] = []) {
            self.name = name
            self.value = value
            self.note = note
            self.tone = tone
            self.history = history
        }
    }

    package struct Panel: Sendable, Hashable {
        package let name: String
        package var rows: [Row]

        package init(_ name: String, _ rows: [Row]) {
            self.name = name
            self.rows = rows
        }
    }

    package struct Row: Sendable, Hashable {
        package let name: String
        package let value: String
        package let tone: Tone
        /// Used, or left, as a bar; nil for none.
        package let fraction: Double?

        package init(_ name: String, _ value: String, tone: Tone = .plain, fraction: Double? = nil) {
            self.name = name
            self.value = value
            self.tone = tone
            self.fraction = fraction
        }
    }

    package var title: String
    package var state: State
    /// Facts on one line: how long the program runs, where it listens.
    package var facts: [String]
    package var activity: RecentActivity
    package var tiles: [Tile]
    package var panels: [Panel]

    package init(
        title: String,
        state: State,
        facts: [String],
        activity: RecentActivity,
        tiles: [Tile],
        panels: [Panel]
    ) {
        self.title = title
        self.state = state
        self.facts = facts
        self.activity = activity
        self.tiles = tiles
        self.panels = panels
    }
}
