internal import Browse

/// `marvel browse --plain`: the app in lines, for screen readers and for pipes.
///
/// From a terminal lines are taken as they come; from a pipe or a file the next one waits until the one before is
/// answered.
struct PlainScreen<Time: Clock> where Time.Duration == Duration {
    static var prompt: String { "marvel> " }

    /// Not started yet, with a model of the size `PlainView.size` and without pictures.
    let app: BrowseViewModel<Time>
    let reader: TerminalReader
    /// Whether a person types what the reader reads.
    let isTerminal: Bool
    let output: any TextOutput

    /// Returns when the person has quit, or the input or the task has ended, and what was changed has been answered.
    ///
    /// - Throws: `OutputError` if the output takes no more.
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
                // Not behind the prompt, nor behind what the person is typing there.
                try output.write((isPrompted ? "\n" : "") + sentences.joined(separator: "\n") + "\n")
                if isPrompted { try output.write(PlainScreen.prompt) }
            case .ready:
                if isTerminal, !isPrompted { try output.write(PlainScreen.prompt) }
                isPrompted = isTerminal
            }
        }
        // The end of the input leaves the prompt behind.
        if isPrompted { try output.write("\n") }
    }
}

/// Lines of a file, a pipe or a terminal, read when they are asked for.
struct PlainLines {
    private let reader: TerminalReader
    private var cutter = LineCutter()

    init(_ reader: TerminalReader) { self.reader = reader }

    /// The next line; the end also when the task is cancelled. Behind the end it ends again.
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
