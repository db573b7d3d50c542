/// Everything that the status page shows, at one time.
package struct StatusReport: Sendable {
    package enum State: Sendable, Hashable {
        case serving
        /// It serves, but not everything: the reason.
        case degraded(String)
        case draining
    }

    /// The state of a value, which is also said in words or by a sign: color alone tells not everybody.
    package enum Tone: String, Sendable, Hashable {
        case plain
        case good
        case warning
        case bad
    }

    /// A number at the top of the page.
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

    /// A part of the server, with its facts.
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
        /// The part of a limit that is used, or left, as a bar; nil for none.
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
    /// The facts of the program that are on one line: how long it runs, where it listens.
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
