public import MarvelDomain
public import RPCCore

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
        private var states: AsyncStream<State>.AsyncIterator
        private var isOver = false

        fileprivate init(_ live: LiveFavorites, _ states: AsyncStream<State>.AsyncIterator) {
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

extension LiveFavorites {
    public struct State: Sendable, Hashable {
        /// The favorites, oldest first, with the list's revision and capacity. Nil until the server has sent the list.
        /// While the connection is lost, it is the last known list.
        public var list: FavoritesList?
        /// Attribution text to show with the data.
        public var attribution = ""
        /// The place of the known list, for a later watch and for reads that must not be older. Nil until the server
        /// has sent one.
        public var place: FavoritesPlace?
        public var connection = Connection.connecting

        public init() {}
    }

    public enum Connection: Sendable, Hashable {
        /// Before the first event.
        case connecting
        /// The list follows every change.
        case live
        /// The server is down or draining. The next attempt starts at `nextTry`; if that is past, an attempt is active.
        case lost(RPCError, nextTry: ContinuousClock.Instant)
        /// A permanent error: no more events come.
        case ended(RPCError)
    }
}

/// The reduction of events to a state, without a clock, a task, or a connection.
extension LiveFavorites.State {
    mutating func received(_ event: FavoritesEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .snapshot(let listed, _):
            list = listed.list
            attribution = listed.attribution
            place = listed.place
            connection = .live
        case .changed(let change, let newPlace):
            list?.apply(change)
            place = newPlace
            connection = .live
        case .progress(_, let newPlace):
            place = newPlace ?? place
            connection = .live
        case .interrupted(let error, let retryDelay):
            connection = .lost(error, nextTry: now + retryDelay)
        }
    }

    /// Ends the watch. The known list is kept, but no longer updated.
    mutating func ended(by error: RPCError) {
        connection = .ended(error)
    }
}
