internal import MarvelClient
internal import MarvelDomain
internal import RPCCore

/// A read of a list, and the place that it named.
struct ListRead {
    let list: ListName
    /// The place that the caller named.
    let minimum: (history: HistoryID, revision: Int64)?
    let found: FavoritesList
    /// The history in which it was found; nil if the answer has no valid place.
    let history: HistoryID?
}

/// A client that reads lists.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Reader: @unchecked Sendable {
    let channel: SimulatedChannel
    private let client: MarvelClient
    private let scheduler: SeededScheduler
    private let report: @Sendable (String) -> Void
    private(set) var openCount = 0
    private(set) var reads: [ListRead] = []

    /// Whether a history has ended so far.
    private let mayHaveChanged: @Sendable () -> Bool

    init(
        over channel: SimulatedChannel,
        on scheduler: SeededScheduler,
        mayHaveChanged: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.mayHaveChanged = mayHaveChanged
        self.channel = channel
        self.scheduler = scheduler
        self.report = report
        client = MarvelClient(channel: channel)
    }

    /// Reads a list, at least as new as a place that somebody was told. A read that fails because of the faults of the
    /// simulation is forgotten.
    func read(_ list: ListName, atLeast place: FavoritesPlace?) {
        openCount += 1
        scheduler.start { [self] in
            defer { openCount -= 1 }
            do throws(RPCError) {
                let listed = try await client.favorites(list: list, atLeast: place, timeout: .seconds(3))
                scheduler.note(listed.list.revision)
                reads.append(
                    ListRead(
                        list: list,
                        minimum: place?.position(on: list),
                        found: listed.list,
                        history: listed.place?.position(on: list)?.history
                    )
                )
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted: break
                case .failedPrecondition where error.reason == .historyChanged && mayHaveChanged(): break
                default: report("a read of \(list.text) failed: \(error)")
                }
            }
        }
    }
}
