internal import Browse
internal import Dispatch
internal import Glibc

/// `marvel browse --plain`: the app in lines, for screen readers and for pipes.
///
/// From a terminal lines are taken as they come; from a pipe or a file the next one waits until the one before is
/// answered.
struct PlainScreen<Time: Clock> where Time.Duration == Duration {
    static var prompt: String { "marvel> " }

    let app: BrowseViewModel<Time>
    let output: any TextOutput
    var input: Int32 = STDIN_FILENO

    /// - Parameters:
    ///   - app: Not started yet, with a model of the size `PlainView.size`, without pictures.
    ///   - output: Where sentences go.
    init(_ app: BrowseViewModel<Time>, output: any TextOutput) {
        self.app = app
        self.output = output
    }

    /// Returns when the person has quit, or the input or the task has ended, and what was changed has been answered.
    ///
    /// - Throws: `OutputError` if the output takes no more.
    func run() async throws(OutputError) {
        let isTerminal = isatty(input) == 1
        let conversation = PlainConversation(app)
        if isTerminal { try output.write(PlainView.greeting + "\n") }
        await conversation.start()
        let result = await withTaskGroup(of: Void.self) { group in
            group.addTask { await read(into: conversation, isTerminal: isTerminal) }
            defer { group.cancelAll() }
            return await say(conversation.speech, isTerminal: isTerminal)
        }
        await app.finish()
        try result.get()
    }

    private func read(into conversation: PlainConversation<Time>, isTerminal: Bool) async {
        var lines = PlainLines(descriptor: input)
        while !Task.isCancelled {
            let line = await lines.next()
            await conversation.type(line)
            if line == .end { return }
            if !isTerminal { await conversation.answered() }
        }
    }

    private func say(_ speech: AsyncStream<PlainSpeech>, isTerminal: Bool) async -> Result<Void, OutputError> {
        do throws(OutputError) {
            return .success(try await write(speech, isTerminal: isTerminal))
        } catch {
            return .failure(error)
        }
    }

    private func write(_ speech: AsyncStream<PlainSpeech>, isTerminal: Bool) async throws(OutputError) {
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
    let descriptor: Int32
    private var cutter = LineCutter()

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line; the end again and again once it is there, and when the task is cancelled.
    mutating func next() async -> PlainLine {
        while true {
            if let line = cutter.next() { return line }
            await waitUntilReadable()
            guard !Task.isCancelled else { return .end }
            read()
        }
    }

    private mutating func read() {
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LineCutter.limit) { bytes in
            let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            if count > 0 { cutter.read(bytes.prefix(count)) }
            return count
        }
        // What cannot be read has ended too, unless it only was not there yet.
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { cutter.end() }
    }

    /// Nothing waits on a thread meanwhile.
    private func waitUntilReadable() async {
        // Dispatch never tells of some that always are: /dev/null is one.
        guard !isReadable else { return }
        // Safe: any thread may use a source (libdispatch's own rule), which its Swift type does not say.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                source.setEventHandler { source.cancel() }
                source.setCancelHandler { continuation.resume() }
                source.resume()
            }
        } onCancel: {
            source.cancel()
        }
    }

    /// Also at its end, and if it cannot be read at all.
    private var isReadable: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) != 0
    }
}
