internal import MarvelClient
internal import MarvelDomain
internal import RPCCore
internal import TrialChecks

/// A client that watches one list from its beginning until it is stopped.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Watcher: @unchecked Sendable {
    let list: ListName
    let channel: SimulatedChannel
    private(set) var isStopped = false
    private(set) var hasEnded = false
    /// The watcher's view of the list in one history.
    struct Part {
        let history: HistoryID?
        var sights: [WatchCheck.Sight] = []
        /// Whether it began with a snapshot that says why it comes, or because the watcher started over.
        let isAnnounced: Bool
    }

    private(set) var parts: [Part] = []
    /// The revision up to which it has everything.
    private(set) var revision: Int64 = 0
    private var beginsAnew = true
    private var task: StartedTask?

    init(
        of list: ListName,
        over channel: SimulatedChannel,
        on scheduler: SeededScheduler,
        mayHaveChanged: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.list = list
        self.channel = channel
        let timing = RetryTiming(
            sleep: { duration in
                await scheduler.sleep(duration)
                try Task.checkCancellation()
            },
            random: { scheduler.fraction() }
        )
        let client = MarvelClient(channel: channel, timing: timing)
        task = scheduler.start { [self] in
            while !isStopped {
                do throws(RPCError) {
                    scheduler.tell("a watcher of \(list.text) begins at \(revision)")
                    for try await event in client.watchFavorites(list: list, from: revision) {
                        saw(event)
                        scheduler.note(revision)
                        scheduler.tell("a watcher of \(list.text) is at \(revision)")
                    }
                } catch {
                    guard !isStopped else { break }
                    // Before its first event a watch ends with the error.
                    switch error.code {
                    case .unavailable, .resourceExhausted: break
                    // A bare revision, of a history that has ended.
                    case .outOfRange, .failedPrecondition:
                        guard mayHaveChanged() else { fallthrough }
                        (revision, beginsAnew) = (0, true)
                    default: report("the watch of \(list.text) failed: \(error)")
                    }
                    await scheduler.sleep(.milliseconds(100))
                }
            }
            hasEnded = true
        }
    }

    func stop() {
        isStopped = true
        task?.cancel()
    }

    private func saw(_ event: FavoritesEvent) {
        switch event {
        case .snapshot(let listed, let reset):
            add(.snapshot(listed.list), at: listed.place, isAnnounced: reset == .historyChanged || beginsAnew)
            revision = listed.list.revision
        case .changed(let change, let place):
            add(.change(change), at: place, isAnnounced: false)
            revision = change.revision
        case .progress(let told, let place): add(.progress(told), at: place, isAnnounced: false)
        case .interrupted: break
        }
        beginsAnew = false
    }

    private func add(_ sight: WatchCheck.Sight, at place: FavoritesPlace?, isAnnounced: Bool) {
        let history = place?.position(on: list)?.history
        if parts.last?.history != history { parts.append(Part(history: history, isAnnounced: isAnnounced)) }
        parts[parts.count - 1].sights.append(sight)
    }
}
