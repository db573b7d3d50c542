internal import Browse
internal import Events
internal import Glibc
internal import TerminalUI

/// Runs the app on a terminal: what is typed goes into the view model, its states come out on the screen.
struct BrowseScreen {
    /// After so long a lone Escape is the key, and not the beginning of a sequence.
    private static let escapeTime: Int32 = 50

    /// How it came to an end.
    struct End: Sendable {
        /// The signal that ended it, by its number; nil if none did.
        var signal: Int32?
        /// Names of characters of which nobody knows whether they were saved or removed at last.
        var unanswered: [String]
    }

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

    /// Returns when the person quits, the terminal is gone, a signal asks for it, or the task is cancelled. The terminal
    /// is as it was then, and what was changed last has been answered.
    ///
    /// - Returns: What is left to be told.
    /// - Throws: `Terminal.Failure` or `OutputError`.
    func run() async throws -> End {
        try await terminal.enter()
        let end: Result<Int32?, any Error>
        do {
            end = .success(try await runUntilEnd())
        } catch {
            end = .failure(error)
        }
        await terminal.leave()
        let unanswered = await app.finish()
        return End(signal: try end.get(), unanswered: unanswered)
    }

    /// The first that ends, ends the others.
    private func runUntilEnd() async throws -> Int32? {
        let endings = Signals.stream(of: SIGHUP, SIGQUIT)
        let resizes = Signals.stream(of: SIGWINCH)
        let stops = Signals.stream(of: SIGTSTP)
        let continues = Signals.stream(of: SIGCONT)
        await app.start()
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask { try await show() }
            group.addTask {
                try await listen()
                return nil
            }
            group.addTask {
                for await _ in resizes { await app.receive(.terminal(.resized(terminal.size))) }
                return nil
            }
            group.addTask {
                for await _ in stops { try await stop() }
                return nil
            }
            group.addTask {
                for await _ in continues { try await goOn() }
                return nil
            }
            group.addTask {
                for await number in endings { return number }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self)
        }
    }

    /// - Returns: SIGINT if Ctrl-C has ended it.
    private func show() async throws -> Int32? {
        for await model in app.states.values {
            if model.isOver { return model.isInterrupted ? SIGINT : nil }
            try await display.show(model)
        }
        return nil
    }

    private func listen() async throws {
        var decoder = KeyDecoder()
        while true {
            switch await reader.read(within: decoder.awaitsTime ? BrowseScreen.escapeTime : nil) {
            case .bytes(let bytes): try await take(decoder.decode(bytes))
            case .nothing: try await take(decoder.timeElapsed())
            case .end: return
            }
        }
    }

    private func take(_ inputs: [TerminalInput]) async throws {
        for input in inputs {
            switch input {
            // The whole job stops, as its shell would have it, this program with it (see `stop`).
            case .event(.key(.control("z"))): kill(0, SIGTSTP)
            case .event(let event): await app.receive(.terminal(event))
            case .reply(let reply): try await display.note(reply)
            }
        }
    }

    private func stop() async throws {
        try await terminal.stop()
        try await redraw()
    }

    private func goOn() async throws {
        try await terminal.renew()
        try await redraw()
    }

    private func redraw() async throws {
        await app.receive(.terminal(.resized(terminal.size)))
        try await display.redraw()
    }
}
