package import Catalog
package import MarvelDomain
internal import Synchronization
internal import WireMessages

/// Names have the gateway's order, and only prefix searches are supported.
package final class GatewayCatalog: CharacterCatalog {
    /// Marvel's own attribution, for gateways that send none.
    package static let defaultAttribution = "Data provided by Marvel. © 2014 Marvel"

    package let kind = CatalogKind.gateway
    package let matches = [Match.prefix]
    private let answers: GatewayAnswers
    /// Favorites show it without a call.
    private let lastAttribution = Mutex(GatewayCatalog.defaultAttribution)

    package init(answers: GatewayAnswers) { self.answers = answers }

    package var attribution: String { lastAttribution.withLock { $0 } }

    package func search(
        _ query: SearchQuery,
        match: Match,
        at place: PagePlace,
        limit: Int
    ) throws(CatalogError) -> Lookup<CharacterPage> {
        guard match == .prefix else { throw .matchUnsupported(match) }
        let question = GatewayQuestion.page(prefix: query.text, offset: place.offset + place.skip, limit: limit)
        if let found = answers.ready(question) { return .ready(page(found)) }
        return .later { [self] () async throws(CatalogError) in
            do throws(SourceError) {
                return page(try await answers.answer(to: question))
            } catch {
                throw .upstream(error)
            }
        }
    }

    package func character(id: Int64) -> Lookup<CatalogEntry?> {
        let question = GatewayQuestion.character(id: id)
        if let found = answers.ready(question) { return .ready(entry(id, found)) }
        return .later { [self] () async throws(CatalogError) in
            do throws(SourceError) {
                return entry(id, try await answers.answer(to: question))
            } catch .notFound {
                return nil
            } catch {
                throw .upstream(error)
            }
        }
    }

    /// A call for each typed letter would be too many.
    package func suggestions(for query: SearchQuery, limit: Int) -> Lookup<SuggestedNames> { .ready(.none) }

    private func entry(_ id: Int64, _ found: FoundAnswer) -> CatalogEntry? {
        let provenance = provenance(of: found)
        return found.answer.character(id: id).map { CatalogEntry(character: $0, provenance: provenance) }
    }

    private func page(_ found: FoundAnswer) -> CharacterPage {
        let answer = found.answer
        let end = answer.offset + answer.receivedCount
        let characters = PageCharacters(
            CharacterRuns(EncodedCharacters.Run(characters: answer.characters, slots: 0..<answer.characters.count)),
            // A page without entries ends the results, regardless of `total`. Otherwise a wrong total would make a
            // stream endless.
            nextOffset: answer.receivedCount > 0 && end < answer.total ? end : nil
        )
        return CharacterPage(characters, total: answer.total, provenance: provenance(of: found), results: nil)
    }

    private func provenance(of found: FoundAnswer) -> Provenance {
        let attribution = lastAttribution.withLock { last in
            if !found.answer.attribution.isEmpty { last = found.answer.attribution }
            return last
        }
        return Provenance(attribution: attribution, freshness: found.freshness)
    }
}

/// Fresh answers come from the cache. Concurrent callers with the same question share one call. If a call fails,
/// callers get a stale answer if the cache has one.
package final class GatewayAnswers: Sendable {
    /// 32 MiB, about 10,000 pages.
    private static let memoryByteCount = 32 << 20

    private let client: MarvelAPIClient
    private let caller: UpstreamCaller
    private let store: (any AnswerStore)?
    private let lookup: SharedLookup<FoundAnswer, SourceError>
    private let memory = Mutex(AnswerMemory(maximumByteCount: GatewayAnswers.memoryByteCount))

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
        self.lookup = SharedLookup(
            policy: policy,
            clock: clock,
            counts: counts,
            missing: .notFound,
            cancelled: .cancelled,
            freshness: \.freshness
        )
    }

    func ready(_ question: GatewayQuestion) -> FoundAnswer? {
        guard let known = knownInMemory(question), isFresh(known.answer) else { return nil }
        lookup.countHit()
        return found(known.answer)
    }

    /// Throws `.notFound` for an unknown character. Otherwise the error of the call, if there is no stale answer.
    func answer(to question: GatewayQuestion) async throws(SourceError) -> FoundAnswer {
        try await lookup.value(for: question.key) { [self] flight async throws(SourceError) in
            try await lookUp(question, flight)
        }
    }

    package func shutDown() { lookup.cancelAll() }

    // MARK: Looking up

    private typealias Flight = SharedLookup<FoundAnswer, SourceError>.Flight
    private typealias Known = (key: String, answer: KeptAnswer)

    private func lookUp(_ question: GatewayQuestion, _ flight: Flight) async throws(SourceError) -> FoundAnswer {
        if isKnownMissing(question) {
            lookup.countHit()
            throw .notFound
        }
        guard let known = await known(question) else { return try await ask(question, having: nil, flight) }
        return try await lookup.confirm({ [self] in found(known.answer) }, flight) { () async throws(SourceError) in
            try await ask(question, having: known, flight)
        }
    }

    private func ask(
        _ question: GatewayQuestion,
        having known: Known?,
        _ flight: Flight
    ) async throws(SourceError) -> FoundAnswer {
        // An entity tag is valid only for its own question, but a character may come from a page's answer.
        let own = known?.key == question.key ? known?.answer : nil
        do throws(SourceError) {
            let results = try await caller.call(
                question: question.key,
                timeLeft: { [lookup] in lookup.timeLeft(of: flight) }
            ) {
                [client] () async throws(SourceError) in try await client.results(of: question, ifNoneMatch: own?.etag)
            }
            let now = lookup.now()
            guard let answer = results.map({ KeptAnswer($0, fetchedAt: now) }) ?? own?.confirmed(at: now)
            else { throw .invalidReply("it answers 304 to a first request") }
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
        let now = lookup.now()
        memory.withLock { $0.keepMissing(id, at: now) }
        store?.forgetCharacter(id)
    }

    private func isKnownMissing(_ question: GatewayQuestion) -> Bool {
        guard case .character(let id) = question, let moment = memory.withLock({ $0.missing(id) }) else { return false }
        return lookup.isFresh(from: moment, isNegative: true)
    }

    private func isFresh(_ answer: KeptAnswer) -> Bool {
        lookup.isFresh(from: answer.fetchedAt, isNegative: answer.isNegative)
    }

    private func found(_ answer: KeptAnswer) -> FoundAnswer {
        let freshness = lookup.freshness(from: answer.fetchedAt, isNegative: answer.isNegative)
        return FoundAnswer(answer: answer, freshness: freshness)
    }
}
