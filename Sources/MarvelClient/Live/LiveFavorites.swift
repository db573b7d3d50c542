internal import MarvelDomain
internal import RPCCore

/// A list of favorites that updates itself.
///
///     let live = client.liveFavorites()
///     for await state in live {
///         show(state.list?.favorites ?? [], isStale: state.connection != .live)
///     }
///
/// The watch lasts until the last reference and the last reader are gone. The list may have any number of readers. Each
/// reader gets the current state first, and then the later states. A slow reader skips states in between, but never the
/// last one. For every single change, use `MarvelClient.watchFavorites`.
public final class LiveFavorites: AsyncSequence, Sendable {
    public typealias Element = State
    /// The sequence never fails.
    public typealias Failure = Never

    private let subject: CurrentValueSubject<State>
    private let watch: Task<Void, Never>

    /// `events` begins with a snapshot; `now` is the clock for the time of the next attempt.
    init<Events: AsyncSequence<FavoritesEvent, RPCError> & Sendable>(
        _ events: Events,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        let subject = CurrentValueSubject(State())
        self.subject = subject
        // The task must not hold this object, because the object's deinit cancels the task.
        watch = Task {
            var state = State()
            do throws(RPCError) {
                for try await event in events {
                    let before = state
                    state.received(event, at: now())
                    if state != before { subject.send(state) }
                }
            } catch {
                state.ended(by: error)
                subject.send(state)
            }
        }
    }

    deinit { watch.cancel() }

    public var state: State { subject.value }

    /// Makes an iterator, which begins with the current state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self, subject.values.makeAsyncIterator()) }

    /// A reader of the states. They end when the reading task is cancelled, or after the state of an ended watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The list, held so that its watch lasts as long as its readers.
        private let live: LiveFavorites
        private var states: EventSequence<State>.AsyncIterator
        private var isOver = false

        fileprivate init(_ live: LiveFavorites, _ states: EventSequence<State>.AsyncIterator) {
            self.live = live
            self.states = states
        }

        /// Returns the current state, and then each next one; nil at the end.
        public mutating func next() async -> State? {
            await next(isolation: #isolation)
        }

        /// Returns the current state, and then each next one; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            guard !isOver, let state = await states.next(isolation: actor) else { return nil }
            if case .ended = state.connection { isOver = true }
            return state
        }
    }
}
