internal import CrashTestChecks
internal import MarvelClient
internal import MarvelDomain
internal import RPCCore

/// A client that watches one list from its beginning until it is stopped.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Watcher: @unchecked Sendable {
    let list: ListName
    let channel: SimulatedChannel
    private(set) var isStopped = false
    private(set) var hasEnded = false
    private(set) var sights: [WatchCheck.Sight] = []
    /// The revision up to which it has everything.
    private(set) var revision: Int64 = 0
    private var task: StartedTask?

    init(
        of list: ListName,
        over channel: SimulatedChannel,
        on scheduler: SeededScheduler,
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
        case .snapshot(let listed, reset: _):
            sights.append(.snapshot(listed.list))
            revision = listed.list.revision
        case .changed(let change, place: _):
            sights.append(.change(change))
            revision = change.revision
        case .progress, .interrupted: break
        }
    }
}
