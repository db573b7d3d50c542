internal import Browse
internal import Events
internal import TerminalUI

/// Runs the app on a terminal: what is typed goes into the view model, its states come out on the screen.
struct BrowseScreen {
    /// After so long a lone Escape is the key, and not the beginning of a sequence.
    private static let escapeTime: Int32 = 50

    private let terminal: Terminal
    private let reader: TerminalReader
    private let display: ScreenDisplay
    private let app: BrowseViewModel<ContinuousClock>

    init(terminal: Terminal, reader: TerminalReader, look: ScreenDisplay.Look, app: BrowseViewModel<ContinuousClock>) {
        self.terminal = terminal
        self.reader = reader
        self.display = ScreenDisplay(terminal, look: look)
        self.app = app
    }

    /// Returns when the person quits, the terminal is gone, or the task is cancelled; the terminal is as it was then.
    ///
    /// - Throws: `Terminal.Failure` or `OutputError`.
    func run() async throws {
        let changes = Terminal.sizeChanges()
        try terminal.enter()
        defer { terminal.leave() }
        try await terminal.write(TerminalQuery.all.flatMap(\.bytes))
        await app.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await show() }
            group.addTask { try await listen() }
            group.addTask { await follow(changes) }
            // The first that ends, ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
        // What the person did last still reaches the server, with the terminal as it was already.
        terminal.leave()
        await app.finish()
    }

    private func show() async throws {
        for await model in app.states.values where !model.isOver {
            try await display.show(model)
        }
    }

    private func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes { await app.receive(.terminal(.resized(terminal.size))) }
    }

    private func listen() async throws {
        var decoder = KeyDecoder()
        while true {
            switch await reader.read(within: decoder.awaitsTime ? BrowseScreen.escapeTime : nil) {
            case .bytes(let bytes): try await take(decoder.decode(bytes))
            case .nothing: try await take(decoder.timeElapsed())
            case .end: return
            }
            if app.states.value.isOver { return }
        }
    }

    private func take(_ inputs: [TerminalInput]) async throws {
        for input in inputs {
            switch input {
            case .event(.key(.control("z"))): try await suspend()
            case .event(let event): await app.receive(.terminal(event))
            case .reply(let reply): try await display.note(reply)
            }
        }
    }

    private func suspend() async throws {
        try terminal.suspend()
        await app.receive(.terminal(.resized(terminal.size)))
        try await display.redraw()
    }
}
