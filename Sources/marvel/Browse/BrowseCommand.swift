internal import ArgumentParser
internal import Browse
internal import Dispatch
internal import Glibc
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import Synchronization
internal import Terminal
internal import TerminalUI

struct BrowseCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Search and save favorites in a terminal UI that updates live.",
        usage: "marvel browse [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel browse",
                "marvel browse --grid --list reading",
            ],
            """
            There are two tabs, Search and Favorites. Tab switches between them, ? shows all keys, q quits. Pictures \
            are Kitty graphics if the terminal supports them, and half blocks otherwise.
            """,
            variables: [
                ("TERM, COLORTERM", "the colors that the terminal supports")
            ]
        )
    )

    enum Background: String, ExpressibleByArgument, CaseIterable {
        case auto, dark, light

        var theme: Theme.Background? {
            switch self {
            case .auto: nil
            case .dark: .dark
            case .light: .light
            }
        }
    }

    @Flag(help: "Show no pictures.")
    var noImages = false

    @Flag(help: "Leave clicks and the wheel to the terminal.")
    var noMouse = false

    @Flag(help: "Show a grid of cards instead of a list.")
    var grid = false

    @Option(help: ArgumentHelp("The window's background; auto asks the terminal.", valueName: "which"))
    var background = Background.auto

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    var readsAhead: Bool { false }

    /// The screen must show soon that the server is down.
    var keepaliveInterval: Duration { .seconds(10) }

    func run(in session: Session) async throws -> ExitStatus {
        let isDumb = session.environment["TERM"] == "dumb"
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !isDumb else {
            let need = isDumb ? "a terminal that moves its cursor: TERM is dumb" : "a terminal"
            session.warn(error: "marvel browse needs \(need). `marvel search` and `marvel toggle` work without one.")
            return .usage
        }
        let end = try await runOnScreen(session, TerminalReader(descriptor: STDIN_FILENO))
        for name in end.unanswered {
            session.warn("It is unknown whether \(name) was changed: see `marvel favorites`.")
        }
        return end.signal.map { ExitStatus(rawValue: 128 + $0) } ?? .done
    }

    private func runOnScreen(_ session: Session, _ reader: TerminalReader) async throws -> BrowseScreen.End {
        let modes = TerminalModes(hasMouse: !noMouse, title: "marvel browse")
        let terminal = Terminal(output: .standardOutput, modes: modes)
        let model = BrowseModel(size: terminal.size, style: grid ? .grid : .list, showsPictures: !noImages)
        let settings = TerminalDisplay.Settings(
            depth: session.style.isColored ? ColorDepth { session.environment[$0] } : .none,
            background: background.theme,
            showsPictures: !noImages
        )
        let app = BrowseViewModel(model, services: services(session), clock: ContinuousClock())
        let display = TerminalDisplay(terminal, settings: settings)
        return try await BrowseScreen(terminal: terminal, reader: reader, display: display, app: app).run()
    }

    private func services(_ session: Session) -> ClientServices {
        ClientServices(
            client: session.client,
            servers: session.servers,
            list: list.list,
            timeout: session.singleCallTimeout
        )
    }
}

struct BrowseScreen {
    /// In milliseconds. After it a lone Escape is the key.
    private static let escapeTime: Int32 = 50
    /// The maximum wait for a stop: a job without a shell does not stop.
    private static let stopTime = Duration.milliseconds(500)

    struct End: Sendable {
        var signal: Int32?
        /// Characters whose last toggle has no known result.
        var unanswered: [String]
    }

    let terminal: Terminal
    let reader: TerminalReader
    let display: TerminalDisplay
    let app: BrowseViewModel<ContinuousClock>

    /// Afterwards the terminal is restored, and the last toggles have ended. Throws `Terminal.Failure` or
    /// `OutputError`.
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
                for await _ in resizes { try await redraw() }
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

    /// Returns SIGINT if Ctrl-C ended the app.
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
            case .event(.key(.control("l"))): try await redraw()
            case .event(let event): await app.receive(.terminal(event))
            case .reply(let reply): try await display.note(reply)
            }
        }
    }

    private func stop() async throws {
        await terminal.leave()
        let continued = SignalHandler.stream(of: SIGCONT)
        var handled = sigaction()
        sigaction(SIGTSTP, nil, &handled)
        signal(SIGTSTP, SIG_DFL)
        kill(getpid(), SIGTSTP)
        await withTaskGroup { group in
            group.addTask { for await _ in continued { return } }
            group.addTask { try? await Task.sleep(for: BrowseScreen.stopTime) }
            await group.next()
            group.cancelAll()
        }
        sigaction(SIGTSTP, &handled, nil)
        try await terminal.enter()
        try await redraw()
    }

    private func resume() async throws {
        try await terminal.reenter()
        try await redraw()
    }

    private func redraw() async throws {
        try await display.redraw()
        await app.receive(.terminal(.resized(terminal.size)))
    }
}

struct ClientServices: BrowseServices {
    let client: MarvelClient
    let servers: [ServerEndpoint]
    let list: ListName
    let timeout: Duration
    let pictures = PictureWorker()

    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError> {
        client.searchCharacters(
            request.query.text,
            match: request.match,
            pageSize: request.pageSize,
            pageToken: request.pageToken,
            skip: request.skip,
            list: list
        )
    }

    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion] {
        try await client.suggestNames(typed, timeout: timeout).suggestions
    }

    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never> {
        client.connectNow()
        return client.liveFavorites(list: list)
    }

    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult {
        try await client.toggleFavorite(characterID, desired: desired, list: list, timeout: timeout)
    }

    func picture(_ key: PictureKey) async throws -> PixelImage? {
        let picture: CharacterPicture
        do {
            picture = try await client.thumbnail(of: key.characterID, variant: key.size.variant, timeout: timeout)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        return picture.isPlaceholder ? nil : try await pictures.image(picture.bytes, for: key.size)
    }

    func notice(_ error: RPCError) -> FailureNotice { FailureNotice(error, servers) }
}

extension FailureNotice {
    init(_ error: RPCError, _ servers: [ServerEndpoint]) {
        let text = ErrorText(error: error, servers: servers)
        self.init(
            error.message.printable.isEmpty ? "The server refused the call and gave no reason." : text.whatHappened,
            // Advice for the command line does not help on a screen.
            whatToDo: [.deadlineExceeded, .notFound].contains(error.code) ? nil : text.whatToDo,
            canRetry: error.isTransient || error.code == .deadlineExceeded,
            isConnectionLost: error.origin == .local && error.code == .unavailable,
            mayHaveHappened: text.isOutcomeUnknown
        )
    }
}

extension PictureKey.Size {
    /// For a card it is the variant that the server keeps of favorites.
    var variant: ImageVariant {
        switch self {
        case .card: .standardLarge
        case .detail: .detail
        }
    }
}

final class PictureWorker: Sendable {
    private let queue = DispatchQueue(label: "pictures", qos: .utility)

    /// One at a time, on a thread of its own. A picture larger than `size` is reduced. Throws `PictureDecodingError`,
    /// also if the task was cancelled.
    func image(_ bytes: [UInt8], for size: PictureKey.Size) async throws -> PixelImage {
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try PictureDecoder()
                                .decode(bytes, isCancelled: { isCancelled.load(ordering: .relaxed) })
                                .reduced(to: size.largestSide)
                        }
                    )
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }
}

extension PictureKey.Size {
    /// In pixels, above the size that any window needs.
    fileprivate var largestSide: Int {
        switch self {
        case .card: 400
        case .detail: 1_200
        }
    }
}

extension PixelImage {
    fileprivate func reduced(to largestSide: Int) -> PixelImage {
        let longest = max(width, height)
        guard longest > largestSide else { return self }
        let size = PixelSize(
            width: max(width * largestSide / longest, 1),
            height: max(height * largestSide / longest, 1)
        )
        return fitted(to: size, .contain) ?? self
    }
}
