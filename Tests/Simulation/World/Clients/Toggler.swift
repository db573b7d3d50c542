internal import MarvelClient
internal import MarvelDomain
internal import RPCCore
internal import TrialChecks

/// A client that toggles favorites of one list, and deletes it now and then: one call at a time, each until it is answered.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Toggler: @unchecked Sendable {
    let list: ListName
    let channel: SimulatedChannel
    private let client: MarvelClient
    private let name: String
    private let scheduler: SeededScheduler
    private let report: @Sendable (String) -> Void
    private var count = 0
    private(set) var isBusy = false
    private(set) var toggles: [AnsweredToggle] = []
    private(set) var deletions: [AnsweredDeletion] = []
    /// The list's place in the last answer.
    private(set) var place: FavoritesPlace?

    init(
        _ name: String,
        of list: ListName,
        over channel: SimulatedChannel,
        on scheduler: SeededScheduler,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.name = name
        self.list = list
        self.channel = channel
        self.scheduler = scheduler
        self.report = report
        client = MarvelClient(channel: channel)
    }

    /// Begins a toggle, unless one is under way.
    func begin(_ character: Int64, _ wish: DesiredFavorite) {
        guard !isBusy, let id = RequestID("\(name)-\(count)") else { return }
        isBusy = true
        count += 1
        let sent = Int64(scheduler.stepCount)
        scheduler.start { [self] in
            let first = await answer(to: character, wish, id)
            scheduler.note(first.revision)
            var toggle = AnsweredToggle(
                id,
                wish,
                character,
                sent: sent,
                answered: Int64(scheduler.stepCount),
                answer: first
            )
            place = first.place
            if scheduler.happens(20) { toggle.repeated(await answer(to: character, wish, id)) }
            toggles.append(toggle)
            isBusy = false
        }
    }

    /// Begins the deletion of the list, unless a call is under way.
    func beginDeletion() {
        guard !isBusy, let id = RequestID("\(name)-\(count)") else { return }
        isBusy = true
        count += 1
        let sent = Int64(scheduler.stepCount)
        scheduler.start { [self] in
            let answer = await untilAnswered(id) { () async throws(RPCError) in
                try await client.deleteList(list, requestID: id, timeout: .seconds(3))
            }
            scheduler.note(answer.revision)
            place = answer.place
            deletions.append(
                AnsweredDeletion(id, sent: sent, answered: Int64(scheduler.stepCount), answer: answer)
            )
            isBusy = false
        }
    }

    private func answer(to character: Int64, _ wish: DesiredFavorite, _ id: RequestID) async -> ToggleResult {
        await untilAnswered(id) { () async throws(RPCError) in
            try await client.toggleFavorite(
                character,
                desired: wish,
                list: list,
                requestID: id,
                timeout: .seconds(3)
            )
        }
    }

    private func untilAnswered<Answer>(
        _ id: RequestID,
        _ call: () async throws(RPCError) -> Answer
    ) async -> Answer {
        while true {
            do throws(RPCError) {
                return try await call()
            } catch {
                switch error.code {
                case .unavailable, .deadlineExceeded, .resourceExhausted: break
                default: report("request \(id) failed: \(error)")
                }
                await scheduler.sleep(scheduler.time(10_000...500_000))
            }
        }
    }
}
