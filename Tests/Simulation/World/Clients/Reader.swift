internal import MarvelClient
internal import MarvelDomain
internal import RPCCore

/// A read of a list, and the place that it named.
struct ListRead {
    let list: ListName
    /// The revision that the caller had seen; 0 if it named none.
    let minimum: Int64
    let found: FavoritesList
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

    init(
        over channel: SimulatedChannel,
        on scheduler: SeededScheduler,
        report: @escaping @Sendable (String) -> Void
    ) {
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
                let minimum = place?.position(on: list)?.revision ?? 0
                reads.append(ListRead(list: list, minimum: minimum, found: listed.list))
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted: break
                default: report("a read of \(list.text) failed: \(error)")
                }
            }
        }
    }
}
