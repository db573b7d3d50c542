internal import Events
internal import RPCCore

/// A list of favorites that keeps itself up to date.
///
///     let live = client.liveFavorites()
///     for await state in live {
///         show(state.list?.favorites ?? [], isStale: state.connection != .live)
///     }
///
/// It watches the list from when it is made until nobody holds or reads it any more. Any number may read it: each gets the
/// state that there is, and then what it becomes. Who reads slower than the list changes misses states between, never
/// the last one; who needs every single change reads `MarvelClient.watchFavorites` instead.
public final class LiveFavorites: AsyncSequence, Sendable {
    public typealias Element = State
    public typealias Failure = Never

    private let subject: CurrentValueSubject<State>
    private let watch: Task<Void, Never>

    /// - Parameters:
    ///   - events: What the list does, beginning with a snapshot.
    ///   - now: The time by which the next try is told.
    init<Events: AsyncSequence<FavoritesEvent, RPCError> & Sendable>(
        _ events: Events,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        let subject = CurrentValueSubject(State())
        self.subject = subject
        // It must not hold this object, whose end is its own.
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

    /// What is known of the list now.
    public var state: State { subject.value }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self, subject.values.makeAsyncIterator()) }

    /// Reads the states. They end with the task that reads, and behind one that says that the watch has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Held, so that the list is watched for as long as it is read.
        private let live: LiveFavorites
        private var states: EventSequence<State, State>.AsyncIterator
        private var isOver = false

        fileprivate init(_ live: LiveFavorites, _ states: EventSequence<State, State>.AsyncIterator) {
            self.live = live
            self.states = states
        }

        /// The state that there is, and then the next; nil at the end.
        public mutating func next() async -> State? {
            await next(isolation: #isolation)
        }

        /// The state that there is, and then the next; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            guard !isOver, let state = await states.next(isolation: actor) else { return nil }
            if case .ended = state.connection { isOver = true }
            return state
        }
    }
}
