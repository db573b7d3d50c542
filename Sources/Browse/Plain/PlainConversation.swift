internal import Events
internal import Synchronization

/// The app as it runs, and its plain view: lines in, sentences out.
package final class PlainConversation<Time: Clock>: Sendable where Time.Duration == Duration {
    /// What comes of it, in order; it ends when the person has quit.
    package let speech: AsyncStream<PlainSpeech>

    private let app: BrowseViewModel<Time>
    private let speaker: PlainSpeaker
    private let subscription: Subscription

    /// - Parameter app: Not started yet, so that no state is missed.
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

    /// Takes in a line. Its answer may come later.
    package func type(_ line: PlainLine) async {
        for event in speaker.take(line) { await app.receive(event) }
        speaker.speak { $0.eventsSent() }
    }

    /// Returns when all that was typed is answered, or why it cannot be was said.
    package func answered() async {
        for await isWaiting in speaker.isWaiting.values where !isWaiting { return }
    }
}

/// What the terminal is told.
package enum PlainSpeech: Sendable, Equatable {
    /// The person has ended a line.
    case lineTaken
    case sentences([String])
    /// Nothing is awaited: the next line may come.
    case ready
}

/// Owns the view: one at a time looks at it, and what comes of it is said in that order.
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
            tell(&state)
            guard state.view.isOver else { return }
            speaking.finish()
            isWaiting.send(false)
        }
    }

    private func say(_ sentences: [String]) {
        if !sentences.isEmpty { speaking.yield(.sentences(sentences)) }
    }

    /// Once for a line.
    private func tell(_ state: inout State) {
        guard !state.view.isWaiting, !state.isReady, !state.view.isOver else { return }
        state.isReady = true
        speaking.yield(.ready)
        isWaiting.send(false)
    }
}
