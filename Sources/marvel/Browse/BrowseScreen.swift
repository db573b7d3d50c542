internal import Browse
internal import Glibc
internal import MarvelDomain
internal import ProgramSupport
internal import Terminal
internal import TerminalUI

/// The app on a terminal: it passes input to the view model, and shows the view model's states on the screen.
struct BrowseScreen {
    /// In milliseconds. After it a lone Escape is the key, and not the beginning of a sequence.
    private static let escapeTime: Int32 = 50
    /// The maximum wait for a stop: a job without a shell does not stop.
    private static let stopTime = Duration.milliseconds(500)

    /// The end of the app.
    struct End: Sendable {
        /// The signal that ended the app, if any.
        var signal: Int32?
        /// The names of characters whose last toggle has no known result.
        var unanswered: [String]
    }

    private let terminal: Terminal
    private let reader: TerminalReader
    private let display: TerminalDisplay
    private let app: BrowseViewModel<ContinuousClock>

    init(
        terminal: Terminal,
        reader: TerminalReader,
        settings: TerminalDisplay.Settings,
        app: BrowseViewModel<ContinuousClock>
    ) {
        self.terminal = terminal
        self.reader = reader
        self.display = TerminalDisplay(terminal, settings: settings)
        self.app = app
    }

    /// Runs until the user quits, the terminal is closed, a signal requests the end, or the task is cancelled.
    /// Afterwards the terminal is restored, and the last toggles have ended.
    ///
    /// - Returns: The end, with the messages that are still to be printed.
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

    /// Runs all tasks until the first one ends, then cancels the others.
    private func runUntilEnd() async throws -> Int32? {
        let endings = SignalHandler.stream(of: SIGHUP, SIGQUIT)
        let resizes = SignalHandler.stream(of: SIGWINCH)
        let stops = SignalHandler.stream(of: SIGTSTP)
        let continues = SignalHandler.stream(of: SIGCONT)
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
                for await _ in continues { try await resume() }
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

    /// Shows each state. Returns SIGINT if Ctrl-C ended the app.
    private func show() async throws -> Int32? {
        for await model in app.states.values {
            if model.isOver { return model.isInterrupted ? SIGINT : nil }
            try await display.show(BrowseView(model).screen)
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
            // Ctrl-Z stops the whole job, as a shell expects. This program handles the signal in `stop`.
            case .event(.key(.control("z"))): kill(0, SIGTSTP)
            case .event(let event): await app.receive(.terminal(event))
            case .reply(let reply): try await display.note(reply)
            }
        }
    }

    /// Stops the program until its shell continues it.
    private func stop() async throws {
        await terminal.leave()
        let continued = SignalHandler.stream(of: SIGCONT)
        signal(SIGTSTP, SIG_DFL)
        kill(getpid(), SIGTSTP)
        await withTaskGroup { group in
            group.addTask { for await _ in continued { return } }
            group.addTask { try? await Task.sleep(for: BrowseScreen.stopTime) }
            await group.next()
            group.cancelAll()
        }
        signal(SIGTSTP, SIG_IGN)
        try await terminal.enter()
        try await redraw()
    }

    private func resume() async throws {
        try await terminal.reenter()
        try await redraw()
    }

    private func redraw() async throws {
        await app.receive(.terminal(.resized(terminal.size)))
        try await display.redraw()
    }
}
