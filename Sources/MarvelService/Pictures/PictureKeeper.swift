package import Catalog
package import MarvelDomain
internal import Synchronization

/// A keeper of a picture of every favorite. It is notified of changes, which do not wait for its work, fetches the
/// pictures, a few at a time, and lets the store keep them.
package final class PictureKeeper: Sendable {
    private let store: any PictureStore
    private let source: any PictureSource
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let onKept: @Sendable (Set<Int64>) -> Void
    private let onFailure: @Sendable (Int64, PictureError) -> Void
    private let queue: Mutex<PictureQueue>
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - store: The store of the pictures.
    ///   - source: The source of the pictures.
    ///   - now: The clock.
    ///   - sleep: Waits on that clock, and throws when the task is cancelled.
    ///   - onKept: Called with the ids of characters whose pictures were kept.
    ///   - onFailure: Called with a character's id, for the operator, when its picture could not be fetched.
    package init(
        store: any PictureStore,
        source: any PictureSource,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onKept: @escaping @Sendable (Set<Int64>) -> Void = { _ in },
        onFailure: @escaping @Sendable (Int64, PictureError) -> Void = { _, _ in }
    ) {
        self.store = store
        self.source = source
        self.now = now
        self.sleep = sleep
        self.onKept = onKept
        self.onFailure = onFailure
        queue = Mutex(PictureQueue(now: now()))
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        waker.yield()
    }

    /// Notes a change of a list, or with nil that some changes are not known. It does not block.
    package func changed(_ change: FavoritesChange?) {
        update { queue in
            guard let change else { return queue.changesWereMissed(at: now()) }
            return queue.changed(change, at: now())
        }
    }

    /// Returns the picture that is kept of a character, or nil.
    package func keptPicture(of id: Int64) async throws(StoreError) -> KeptPicture? {
        try await store.picture(of: id)
    }

    /// Fetches and keeps pictures until its task is cancelled. It must be called only once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            var timers: Set<ContinuousClock.Instant> = []
            for await _ in wakes {
                while true {
                    let now = now()
                    let step = queue.withLock { $0.next(at: now) }
                    guard case .wait(let moment) = step else {
                        group.addTask { [self] in await take(step) }
                        continue
                    }
                    timers = timers.filter { $0 > now }
                    if let moment, !timers.contains(where: { $0 <= moment }) {
                        timers.insert(moment)
                        group.addTask { [self] in await wake(after: moment - now) }
                    }
                    break
                }
            }
            group.cancelAll()
        }
    }

    private func wake(after delay: Duration) async {
        do {
            try await sleep(delay)
            waker.yield()
        } catch {
            // The task is cancelled, so nothing has to be woken.
        }
    }

    private func update(_ body: (inout PictureQueue) -> Bool) {
        if queue.withLock({ body(&$0) }) { waker.yield() }
    }
}

extension PictureKeeper {
    private func take(_ step: PictureQueue.Step) async {
        switch step {
        case .drop(let ids):
            // A failed drop is repeated at the next start; the store has reported it to its operator.
            try? await store.dropPictures(of: ids)
            finish { queue, _ in queue.dropped() }
        case .keep(let pictures):
            let ids = try? await store.keep(pictures)
            finish { queue, now in queue.keeps(ids, at: now) }
            if let ids, !ids.isEmpty { onKept(ids) }
        case .scan(let excluded):
            let characters = try? await store.charactersWithoutPicture(
                excluding: excluded,
                limit: PictureQueue.Limits().waiting
            )
            finish { queue, now in queue.scanned(characters, at: now) }
        case .fetch(let character):
            await fetch(character)
        case .wait:
            break
        }
    }

    private func fetch(_ character: MarvelCharacter) async {
        let id = character.id
        let isKept = try? await store.hasPicture(of: id)
        if isKept == true { return finish { queue, _ in queue.foundKept(id) } }
        guard isKept == false else { return finish { queue, now in queue.failed(id, nil, at: now) } }
        do throws(PictureError) {
            let picture = try await source.picture(of: character, KeptPicture.variant).picture
            finish { queue, now in queue.fetched(picture, of: id, at: now) }
        } catch {
            if error != .upstream(.cancelled) { onFailure(id, error) }
            finish { queue, now in queue.failed(id, error, at: now) }
        }
    }

    private func finish(_ body: (inout PictureQueue, ContinuousClock.Instant) -> Void) {
        let now = now()
        update { queue in
            body(&queue, now)
            return true
        }
    }
}
