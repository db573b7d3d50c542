internal import MarvelDomain
internal import NIOCore
public import RPCCore
internal import WireMessages

/// The events of a list, from now on or from an earlier place.
///
/// Each iteration starts a watch, which ends when the task is cancelled or the iterator is released. After its first
/// event, the watch resumes after every interruption, at any server that responds. No change comes twice, and no change
/// is missing, unless a snapshot replaces the changes. A takeover by another server causes no event.
public struct FavoritesWatch: AsyncSequence, Sendable {
    public typealias Element = FavoritesEvent
    public typealias Failure = RPCError

    enum Recovery: Sendable {
        case none
        /// The watch resumes after the last event. Before the first event, it ends.
        case resume
        /// The watch also begins again before its first event. After a reported interruption it starts with the whole
        /// list, even if that is unchanged. This suits callers who need the list and not its changes.
        case restart
    }

    let request: WatchFavoritesRequest
    let timeout: Duration?
    let recovery: Recovery
    let client: MarvelClient

    /// Makes an iterator. The watch starts with the first read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(self, request)
    }

    /// A reader of one watch's events.
    public struct Iterator: AsyncIteratorProtocol {
        /// The request for the remaining events, after the last event's place, or else its revision.
        private var request: WatchFavoritesRequest
        /// The revision of the last event. Before the first event it is the caller's, or nil if the caller gave a
        /// place.
        private var revision: Int64?
        private let watch: FavoritesWatch
        private let clock = ContinuousClock()
        private var deadline: ContinuousClock.Instant?
        private var messages: (any AsyncIteratorProtocol<ByteBuffer, RPCError>)?
        /// Whether an event has come: the list can be watched.
        private var hasBegun = false
        private var failures = WatchFailures()
        private var pause: Pause?
        /// The reason why a snapshot replaces the requested changes. The server cannot say, because the client
        /// requested it.
        private var reset: SnapshotReset?

        private struct Pause {
            var delay: Duration
            /// The number of answers that do not end the wait; nil if the server required the delay.
            var answers: Int?
        }

        fileprivate init(_ watch: FavoritesWatch, _ request: WatchFavoritesRequest) {
            self.watch = watch
            self.request = request
            revision = request.place.isEmpty ? request.fromRevision : nil
        }

        /// Returns the next event; never nil, because a list has no end.
        public mutating func next() async throws(RPCError) -> FavoritesEvent? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event; never nil, because a list has no end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> FavoritesEvent? {
            while true {
                try await waitForRetry()
                var messages = self.messages ?? begin()
                do throws(RPCError) {
                    let message = try await messages.next(isolation: actor)
                    self.messages = messages
                    guard let message else { throw .watchEnded }
                    let response = try WatchFavoritesResponse(response: message)
                    watch.client.answers.received()
                    if let event = FavoritesEvent(response), try isNew(event) { return withReset(event) }
                } catch {
                    self.messages = nil
                    if let event = try interruption(by: error) { return event }
                }
            }
        }

        private mutating func waitForRetry() async throws(RPCError) {
            guard let pause else { return }
            let isOver = await withTaskGroup(of: Bool.self) { [watch] group in
                group.addTask { (try? await watch.client.timing.sleep(pause.delay)) != nil }
                if let count = pause.answers { group.addTask { await watch.client.answers.exceed(count) } }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
            guard isOver else { throw RPCError(.cancelled, reason: .cancelled, "the watch was cancelled") }
            self.pause = nil
        }

        private mutating func begin() -> any AsyncIteratorProtocol<ByteBuffer, RPCError> {
            let remaining = deadline.map { Swift.max($0 - clock.now, .nanoseconds(1)) } ?? watch.timeout
            deadline = deadline ?? watch.timeout.map { clock.now + $0 }
            // Later interruptions are reported immediately, because the list on the screen may be stale.
            return watch.client.channel.serverStream(
                MarvelServiceMethods.watchFavorites.path,
                request.encoded(),
                timeout: remaining,
                metadata: MarvelClient.callMetadata,
                isRepeatable: !hasBegun && watch.recovery == .resume,
                // A screen shows how long no server responds. While failures are hidden, a takeover by another server
                // must not go unnoticed. Otherwise readers need only the events.
                waitsForServer: watch.recovery != .restart && !failures.areHidden
            ).makeAsyncIterator()
        }

        private mutating func isNew(_ event: FavoritesEvent) throws(RPCError) -> Bool {
            hasBegun = true
            failures = WatchFailures()
            switch event {
            case .snapshot(let listed, _):
                advance(to: listed.list.revision, listed.place)
            case .changed(let change, let place):
                if let revision {
                    guard change.revision > revision else { return false }
                    guard change.revision == revision + 1 else {
                        throw .responseInvalid(
                            "the server skipped changes: \(revision) is followed by \(change.revision)"
                        )
                    }
                }
                advance(to: change.revision, place)
            case .progress, .interrupted:
                break
            }
            return true
        }

        /// Adds the reason for a snapshot that replaces the requested changes.
        private mutating func withReset(_ event: FavoritesEvent) -> FavoritesEvent {
            guard case .snapshot(let listed, reset: nil) = event else { return event }
            defer { reset = nil }
            return .snapshot(listed, reset: reset)
        }

        private mutating func advance(to revision: Int64, _ place: FavoritesPlace?) {
            if let list = ListName(request.list) { watch.client.places?.saw(place, at: revision, of: list) }
            self.revision = revision
            request.place = place?.text ?? ""
            request.fromRevision = place == nil ? revision : 0
        }

        private mutating func requestSnapshot() {
            revision = 0
            request.place = ""
            request.fromRevision = 0
        }

        private func wait(_ delay: Duration, after error: RPCError) -> Pause {
            Pause(delay: delay, answers: error.origin == .local ? watch.client.answers.count : nil)
        }

        /// Returns the event for the reader; nil if the watch resumes silently.
        ///
        /// - Throws: The error, if the watch cannot recover from it.
        private mutating func interruption(by error: RPCError) throws(RPCError) -> FavoritesEvent? {
            if let reset = error.reset, request.fromRevision > 0 {
                requestSnapshot()
                self.reset = reset
                return nil
            }
            let recovers = watch.recovery == .restart || (watch.recovery == .resume && hasBegun)
            guard error.isRecoverable, recovers else { throw error }
            switch failures.decide(error, hasBegun: hasBegun, random: watch.client.timing.random()) {
            case .resume(let delay):
                pause = wait(delay, after: error)
                return nil
            case .report(let delay):
                if watch.recovery == .restart { requestSnapshot() }
                pause = wait(delay, after: error)
                return .interrupted(error, retryDelay: delay)
            }
        }
    }
}

extension RPCError {
    /// The reason for a snapshot: the changes after the revision are no longer kept, or the store was restored from a
    /// backup and lacks the revision.
    fileprivate var reset: SnapshotReset? {
        switch reason {
        case .revisionCompacted?: .compacted
        case .revisionAhead?: .historyChanged
        default: nil
        }
    }

    /// Whether a watch can recover from the error. A client that was shut down cannot be used again.
    fileprivate var isRecoverable: Bool {
        (isTransient && reason != .clientShutDown) || reason == .creditTimeout || reason == .clientQueueFull
    }

    fileprivate static let watchEnded = RPCError(
        .unavailable,
        reason: .watchEnded,
        "the server ended the watch"
    )
}
