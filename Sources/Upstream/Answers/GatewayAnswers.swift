internal import Catalog
package import MarvelAPI
internal import Synchronization
internal import WireMessages

/// A source of a gateway's answers that makes as few calls as possible.
///
/// Fresh answers come from the cache. Concurrent callers with the same question share one call. If a call fails,
/// callers get a stale answer, if there is one.
package final class GatewayAnswers: Sendable {
    /// The maximum size of the cache in memory: 32 MiB, some 10,000 pages.
    private static let memoryByteCount = 32 << 20

    private let client: MarvelAPIClient
    private let caller: UpstreamCaller
    private let store: (any AnswerStore)?
    private let policy: CachePolicy
    private let clock: UpstreamClock
    private let counts: UpstreamCounts
    private let memory: Mutex<AnswerMemory>
    private let work: SharedWork<String, FoundAnswer, SourceError>

    /// - Parameters:
    ///   - client: The client that calls the gateway.
    ///   - caller: The caller that limits and retries calls.
    ///   - store: The durable cache of answers; nil if there is none.
    ///   - policy: The times for which answers are fresh.
    ///   - clock: The clock for ages, timeouts and deadlines.
    ///   - counts: The counters of cache hits and calls.
    package init(
        client: MarvelAPIClient,
        caller: UpstreamCaller,
        store: (any AnswerStore)? = nil,
        policy: CachePolicy = CachePolicy(),
        clock: UpstreamClock,
        counts: UpstreamCounts = UpstreamCounts()
    ) {
        self.client = client
        self.caller = caller
        self.store = store
        self.policy = policy
        self.clock = clock
        self.counts = counts
        self.work = SharedWork(cancelled: .cancelled, counts: counts, clock.runtime)
        self.memory = Mutex(AnswerMemory(maximumByteCount: GatewayAnswers.memoryByteCount))
    }

    /// Returns a fresh answer from memory; nil if there is none.
    func ready(_ question: GatewayQuestion) -> FoundAnswer? {
        guard let known = knownInMemory(question), isFresh(known.answer) else { return nil }
        counts.count(.hit)
        return found(known.answer)
    }

    /// Returns the answer from memory, from the store or from the gateway.
    ///
    /// - Throws: `.notFound` if there is no such character. Otherwise the error of the call, if there is no stale
    ///   answer either.
    func answer(to question: GatewayQuestion) async throws(SourceError) -> FoundAnswer {
        let found = try await work.value(for: question.key, deadline: clock.callerDeadline) {
            [self] flight async throws(SourceError) in try await lookUp(question, flight)
        }
        if found.freshness.source == .cache { counts.count(found.freshness.isStale ? .stale : .hit) }
        return found
    }

    /// Cancels all running work.
    package func shutDown() { work.cancelAll() }

    // MARK: Looking up

    private typealias Flight = SharedWork<String, FoundAnswer, SourceError>.Flight
    private typealias Known = (key: String, answer: KeptAnswer)

    private func lookUp(
        _ question: GatewayQuestion,
        _ flight: Flight
    ) async throws(SourceError) -> FoundAnswer {
        if isKnownMissing(question) {
            counts.count(.hit)
            throw .notFound
        }
        guard let known = await known(question) else { return try await ask(question, having: nil, flight) }
        guard !isFresh(known.answer) else { return found(known.answer) }
        async let _: Void = flight.fallBack(to: { found(known.answer) }, after: policy.staleFallbackDelay, clock)
        do throws(SourceError) {
            return try await ask(question, having: known, flight)
        } catch {
            guard error != .notFound, error != .cancelled else { throw error }
            return found(known.answer)
        }
    }

    private func ask(
        _ question: GatewayQuestion,
        having known: Known?,
        _ flight: Flight
    ) async throws(SourceError) -> FoundAnswer {
        // An entity tag is valid for its own question only, but a character may be known from the answer for a page.
        let own = known?.key == question.key ? known?.answer : nil
        do throws(SourceError) {
            let results = try await caller.call(question: question.key, deadline: flight.deadline) {
                [client] () async throws(SourceError) in try await question.ask(client, ifNoneMatch: own?.etag)
            }
            let now = clock.now()
            guard let answer = results.map({ KeptAnswer($0, fetchedAt: now) }) ?? own?.confirmed(at: now)
            else { throw .invalidReply("it says that what was asked for the first time has not changed") }
            keep(answer, to: question.key)
            return FoundAnswer(answer: answer, freshness: Freshness(source: .gateway))
        } catch {
            if error == .notFound { forget(question) }
            throw error
        }
    }

    // MARK: Caches

    private func known(_ question: GatewayQuestion) async -> Known? {
        if let known = knownInMemory(question) { return known }
        guard let known = await knownInStore(question) else { return nil }
        memory.withLock { $0.keep(known.answer, to: known.key) }
        return known
    }

    private func knownInMemory(_ question: GatewayQuestion) -> Known? {
        memory.withLock { memory in
            if case .character(let id) = question { return memory.answer(holding: id) }
            return memory.answer(to: question.key).map { (question.key, $0) }
        }
    }

    private func knownInStore(_ question: GatewayQuestion) async -> Known? {
        if case .character(let id) = question { return await store?.answer(holding: id) }
        return await store?.answer(to: question.key).map { (question.key, $0) }
    }

    private func keep(_ answer: KeptAnswer, to key: String) {
        memory.withLock { $0.keep(answer, to: key) }
        store?.keep(answer, to: key)
    }

    private func forget(_ question: GatewayQuestion) {
        guard case .character(let id) = question else { return }
        let now = clock.now()
        memory.withLock { $0.keepMissing(id, at: now) }
        store?.forgetCharacter(id)
    }

    private func isKnownMissing(_ question: GatewayQuestion) -> Bool {
        guard case .character(let id) = question, let moment = memory.withLock({ $0.missing(id) }) else { return false }
        return policy.isFresh(from: moment, isNegative: true, at: clock.now())
    }

    private func isFresh(_ answer: KeptAnswer) -> Bool {
        policy.isFresh(from: answer.fetchedAt, isNegative: answer.isNegative, at: clock.now())
    }

    private func found(_ answer: KeptAnswer) -> FoundAnswer {
        let freshness = policy.freshness(from: answer.fetchedAt, isNegative: answer.isNegative, at: clock.now())
        return FoundAnswer(answer: answer, freshness: freshness)
    }
}
