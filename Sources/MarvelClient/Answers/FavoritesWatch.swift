internal import MarvelDomain
internal import NIOCore
public import RPCCore
internal import WireMessages

/// The events of a list, from now on or from an earlier place, for as long as it is read.
///
/// Iterating begins the watch; each iteration is a watch of its own. It ends when the task is cancelled or the iterator
/// goes. Once it has begun, it goes on where it was after every break, at whichever server answers then: no change
/// comes twice and none is left out, or a snapshot takes their place.
public struct FavoritesWatch: AsyncSequence, Sendable {
    public typealias Element = FavoritesEvent
    public typealias Failure = RPCError

    /// What becomes of a watch that breaks off.
    enum Recovery: Sendable {
        /// It ends.
        case none
        /// It goes on where it was. If it has not begun yet, it ends.
        case goOn
        /// It begins anew with the whole list, also if it had not begun yet: for who wants to know the list, and not what
        /// happened to it. It is told at once that it can be watched again, though nothing may have changed.
        case startOver
    }

    private let request: WatchFavoritesRequest
    private let timeout: Duration?
    private let channel: any RPCChannel
    private let recovery: Recovery
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - request: The list, and the last revision that the caller has.
    ///   - timeout: How long the whole of it may take; nil is no limit.
    ///   - channel: Where to send it.
    ///   - recovery: What becomes of it when it breaks off.
    ///   - sleep: Waits, and throws when the task is cancelled.
    init(
        _ request: WatchFavoritesRequest,
        timeout: Duration?,
        on channel: any RPCChannel,
        recovery: Recovery,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.request = request
        self.timeout = timeout
        self.channel = channel
        self.recovery = recovery
        self.sleep = sleep
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(request: request, timeout: timeout, channel: channel, recovery: recovery, sleep: sleep)
    }

    /// Reads one watch's events.
    public struct Iterator: AsyncIteratorProtocol {
        /// Doubles with each server that does not answer, so that one which comes back is not run over.
        private static let backoff = Backoff(initial: .milliseconds(200), maximum: .seconds(15))

        /// The request for the rest: its place, or else its revision, is that of the last event.
        private var request: WatchFavoritesRequest
        /// The revision of the last event; nil before the first if the caller named a place.
        private var revision: Int64?
        private let timeout: Duration?
        private let channel: any RPCChannel
        private let recovery: Recovery
        private let sleep: @Sendable (Duration) async throws -> Void
        private let clock = ContinuousClock()
        private var deadline: ContinuousClock.Instant?
        private var messages: (any AsyncIteratorProtocol<ByteBuffer, RPCError>)?
        /// Something has come: the list can be watched, whatever happens from here on.
        private var hasBegun = false
        /// How often in a row no event came.
        private var failures = 0
        /// How long to wait before the watch goes on.
        private var pause: Duration?

        fileprivate init(
            request: WatchFavoritesRequest,
            timeout: Duration?,
            channel: any RPCChannel,
            recovery: Recovery,
            sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.request = request
            self.revision = request.place.isEmpty ? request.fromRevision : nil
            self.timeout = timeout
            self.channel = channel
            self.recovery = recovery
            self.sleep = sleep
        }

        /// The next event; never nil, as a list has no end.
        public mutating func next() async throws(RPCError) -> FavoritesEvent? {
            try await next(isolation: #isolation)
        }

        /// The next event; never nil, as a list has no end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> FavoritesEvent? {
            while true {
                try await waitForTurn()
                var messages = self.messages ?? begin()
                do throws(RPCError) {
                    let message = try await messages.next(isolation: actor)
                    self.messages = messages
                    guard let message else { throw .watchEnded }
                    let response = try WatchFavoritesResponse(response: message)
                    if let event = FavoritesEvent(response), try isNews(event) { return event }
                } catch {
                    self.messages = nil
                    if let event = try interruption(by: error) { return event }
                }
            }
        }

        private mutating func waitForTurn() async throws(RPCError) {
            guard let pause else { return }
            do {
                try await sleep(pause)
            } catch {
                throw RPCError(.cancelled, "the watch was cancelled", origin: .local)
            }
            self.pause = nil
        }

        private mutating func begin() -> any AsyncIteratorProtocol<ByteBuffer, RPCError> {
            let remaining = deadline.map { Swift.max($0 - clock.now, .nanoseconds(1)) } ?? timeout
            deadline = deadline ?? timeout.map { clock.now + $0 }
            // Later breaks are told to the reader at once, who may have a list to show that is no longer true.
            return channel.serverStream(
                MarvelServiceMethods.watchFavorites.path,
                request.encoded(),
                timeout: remaining,
                metadata: Metadata(),
                isRepeatable: !hasBegun && recovery == .goOn,
                // A screen shows for how long there is no server; whoever only reads the events can do without.
                waitsForServer: recovery != .startOver
            ).makeAsyncIterator()
        }

        /// Whether the reader has not seen that yet.
        private mutating func isNews(_ event: FavoritesEvent) throws(RPCError) -> Bool {
            hasBegun = true
            failures = 0
            switch event {
            case .snapshot(let listed, _):
                goOn(from: listed.list.revision, listed.place)
            case .changed(let change, let place):
                if let revision {
                    guard change.revision > revision else { return false }
                    guard change.revision == revision + 1 else {
                        throw .responseInvalid(
                            "the server left out changes: \(revision) is followed by \(change.revision)"
                        )
                    }
                }
                goOn(from: change.revision, place)
            case .progress, .interrupted:
                break
            }
            return true
        }

        private mutating func goOn(from revision: Int64, _ place: FavoritesPlace?) {
            self.revision = revision
            request.place = place?.text ?? ""
            request.fromRevision = place == nil ? revision : 0
        }

        /// The whole list comes next.
        private mutating func startOver() {
            revision = 0
            request.place = ""
            request.fromRevision = 0
        }

        /// - Returns: What to tell the reader; nil if the watch goes on at once.
        /// - Throws: The error, if it is not one that a watch outlives.
        private mutating func interruption(by error: RPCError) throws(RPCError) -> FavoritesEvent? {
            if error.isOfRevision, request.fromRevision > 0 {
                startOver()
                return nil
            }
            guard error.mayPass, recovery == .startOver || (recovery == .goOn && hasBegun) else { throw error }
            if recovery == .startOver { startOver() }
            failures += 1
            let backoff = Self.backoff.delay(afterFailures: failures, random: .random(in: 0..<1))
            let delay = Swift.max(error.retryDelay ?? .zero, backoff)
            pause = delay
            return .interrupted(error, retryDelay: delay)
        }
    }
}

extension RPCError {
    /// The changes behind the revision are gone, or the list has not come so far, as it is with a store that was put
    /// back to an earlier day: only a snapshot helps.
    fileprivate var isOfRevision: Bool { reason == "REVISION_COMPACTED" || reason == "REVISION_AHEAD" }

    /// A client that was shut down stays so.
    fileprivate var mayPass: Bool {
        (isTransient && reason != "CLIENT_SHUT_DOWN") || reason == "CREDIT_TIMEOUT"
    }

    fileprivate static let watchEnded = RPCError(
        .unavailable,
        reason: "WATCH_ENDED",
        "the server ended the watch"
    )
}
