internal import Browse
internal import TerminalDevice

/// The app in line mode, `marvel browse --plain`, for screen readers and for pipes.
///
/// Lines from a terminal are read as they come. From a pipe or a file, the next line is read when the result of the
/// previous one is known.
struct PlainScreen<Time: Clock> where Time.Duration == Duration {
    static var prompt: String { "marvel> " }

    /// The view model, not started yet, with a model of the size `PlainView.size` and without pictures.
    let app: BrowseViewModel<Time>
    let reader: TerminalReader
    /// Whether the input is a terminal.
    let isTerminal: Bool
    let output: any TextOutput

    /// Runs until the user quits, or the input or the task ends, and the toggles have results.
    ///
    /// - Throws: `OutputError` if the output fails.
    func run() async throws(OutputError) {
        let conversation = PlainConversation(app)
        if isTerminal { try output.write(PlainView.greeting + "\n") }
        await conversation.start()
        let result = await withTaskGroup(of: Void.self) { group in
            group.addTask { await read(into: conversation) }
            defer { group.cancelAll() }
            return await say(conversation.speech)
        }
        let unanswered = await app.finish()
        try result.get()
        for name in unanswered { try output.write("It is not known whether \(name) was changed.\n") }
    }

    private func read(into conversation: PlainConversation<Time>) async {
        var lines = PlainLines(reader)
        while !Task.isCancelled {
            let line = await lines.next()
            await conversation.type(line)
            if line == .end { return }
            if !isTerminal { await conversation.answered() }
        }
    }

    private func say(_ speech: AsyncStream<PlainSpeech>) async -> Result<Void, OutputError> {
        do throws(OutputError) {
            return .success(try await write(speech))
        } catch {
            return .failure(error)
        }
    }

    private func write(_ speech: AsyncStream<PlainSpeech>) async throws(OutputError) {
        var isPrompted = false
        for await part in speech {
            switch part {
            case .lineTaken: isPrompted = false
            case .sentences(let sentences):
                // A new line separates the text from the prompt and from the user's typing.
                try output.write((isPrompted ? "\n" : "") + sentences.joined(separator: "\n") + "\n")
                if isPrompted { try output.write(PlainScreen.prompt) }
            case .ready:
                if isTerminal, !isPrompted { try output.write(PlainScreen.prompt) }
                isPrompted = isTerminal
            }
        }
        // The end of the input leaves the prompt on the last line.
        if isPrompted { try output.write("\n") }
    }
}

/// The lines of a file, a pipe or a terminal, read on request.
struct PlainLines {
    private let reader: TerminalReader
    private var cutter = LineCutter()

    init(_ reader: TerminalReader) { self.reader = reader }

    /// Returns the next line. Returns the end when the input ends or the task is cancelled, and for every later call.
    mutating func next() async -> PlainLine {
        while true {
            if let line = cutter.next() { return line }
            switch await reader.read(within: nil) {
            case .bytes(let bytes): cutter.read(bytes)
            case .nothing: continue
            case .end: cutter.end()
            }
        }
    }
}
