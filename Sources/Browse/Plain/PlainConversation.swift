internal import Events
internal import Synchronization

/// The running app with its plain view: it takes lines and outputs sentences.
package final class PlainConversation<Time: Clock>: Sendable where Time.Duration == Duration {
    /// The output in order. It ends when the user has quit.
    package let speech: AsyncStream<PlainSpeech>

    private let app: BrowseViewModel<Time>
    private let speaker: PlainSpeaker
    private let subscription: Subscription

    /// - Parameter app: An app that is not started yet, so that no state is missed.
    package init(_ app: BrowseViewModel<Time>) {
        let (speech, speaking) = AsyncStream.makeStream(of: PlainSpeech.self)
        let speaker = PlainSpeaker(PlainView(app.states.value), speaking)
        self.app = app
        self.speech = speech
        self.speaker = speaker
        subscription = app.states.subscribe { model in speaker.speak { view in view.saw(model) } }
    }

    package func start() async {
        speaker.speak { _ in [] }
        await app.start()
    }

    /// Handles an input line. The answer may follow later.
    package func type(_ line: PlainLine) async {
        for event in speaker.take(line) { await app.receive(event) }
        speaker.speak { $0.eventsSent() }
    }

    /// Waits until every input is answered, or the reason why it cannot be was announced.
    package func answered() async {
        for await isWaiting in speaker.isWaiting.values where !isWaiting { return }
    }
}

/// An output of the plain app for the terminal.
package enum PlainSpeech: Sendable, Equatable {
    /// An input line was accepted.
    case lineTaken
    case sentences([String])
    /// No answer is awaited: the prompt for the next line can be shown.
    case ready
}

/// The owner of the view. It serializes access to the view, and outputs sentences in the order of access.
private final class PlainSpeaker: Sendable {
    private struct State {
        var view: PlainView
        var isReady = false
    }

    let isWaiting = CurrentValueSubject(false)
    private let state: Mutex<State>
    private let speaking: AsyncStream<PlainSpeech>.Continuation

    init(_ view: PlainView, _ speaking: AsyncStream<PlainSpeech>.Continuation) {
        self.state = Mutex(State(view: view))
        self.speaking = speaking
    }

    func take(_ line: PlainLine) -> [BrowseEvent] {
        state.withLock { state in
            let reply = state.view.typed(line)
            state.isReady = false
            if line != .end { speaking.yield(.lineTaken) }
            say(reply.sentences)
            isWaiting.send(state.view.isWaiting)
            return reply.events
        }
    }

    func speak(_ look: (inout PlainView) -> [String]) {
        state.withLock { state in
            say(look(&state.view))
            announceReady(&state)
            guard state.view.isOver else { return }
            speaking.finish()
            isWaiting.send(false)
        }
    }

    private func say(_ sentences: [String]) {
        if !sentences.isEmpty { speaking.yield(.sentences(sentences)) }
    }

    /// Outputs `ready` once for each line, when no answer is awaited.
    private func announceReady(_ state: inout State) {
        guard !state.view.isWaiting, !state.isReady, !state.view.isOver else { return }
        state.isReady = true
        speaking.yield(.ready)
        isWaiting.send(false)
    }
}
