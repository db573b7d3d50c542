import CrashTestChecks
import LongRuns
import MarvelClient
import MarvelDomain

/// The cycles of a run.
final class CrashRun {
    private let stage: Stage
    private let kind: FaultKind
    private let timeout: Duration
    private var fault: any Fault
    private var crowd: Crowd
    private var random: SplitMix64
    private var lists = VerifiedLists()
    /// Answered in earlier cycles; some are repeated later.
    private var veterans: [(ListName, AnsweredToggle)] = []

    private(set) var tally = Tally()
    private(set) var cycle = 0
    var summary: String? { fault.summary }

    init(stage: Stage, kind: FaultKind, timeout: Duration, fault: any Fault, crowd: Crowd, random: SplitMix64) {
        self.stage = stage
        self.kind = kind
        self.timeout = timeout
        self.fault = fault
        self.crowd = crowd
        self.random = random
    }

    func run(cycles: Int) async throws {
        try await stage.start()
        let followers = try await makeLists()
        let watching = MarvelClient(servers: [stage.lastingAddress])
        try await withThrowingTaskGroup { group in
            for follower in followers { group.addTask { try await follower.run(watching) } }
            // A watch outlives its server only after its first event.
            for follower in followers { _ = try await follower.sights(upTo: lists.revision(of: follower.list)) }
            for number in 1...cycles {
                cycle = number
                try await runCycle(followers)
                tally.cycles = number
                if number.isMultiple(of: 10) && number < cycles { Progress.show("\(tally)") }
            }
            group.cancelAll()
        }
        await watching.shutdown()
    }

    /// A watcher that begins at a revision above 0 is sent all that follows, instead of the list itself. Each begins one
    /// change back, so that it has an event at once.
    private func makeLists() async throws -> [ListFollower] {
        await crowd.connect(to: try stage.server().address)
        var followers: [ListFollower] = []
        for list in crowd.choices.lists {
            let client = crowd.anyone
            for id in crowd.choices.characterIDs.prefix(2) {
                _ = try await client.toggleFavorite(id, desired: .saved, list: list)
            }
            let base = try await client.favorites(list: list).list
            lists.begin(list, with: base)
            followers.append(ListFollower(list, at: base.revision - 1))
        }
        return followers
    }

    private func runCycle(_ followers: [ListFollower]) async throws {
        try await fault.prepare(stage)
        await crowd.connect(to: try stage.server().address)
        try await toggleUntilStruck()
        try await fault.recover(stage)
        await crowd.connect(to: try stage.server().address)
        try await crowd.all { member, client in
            try await member.sendAgain(over: client)
            try await member.repeatSome(over: client)
        }
        try await repeatVeterans()
        var changes: [[FavoritesChange]] = []
        for follower in followers { changes.append(try await verify(follower)) }
        try fault.confirm(changes)
        count()
        crowd.forget()
    }

    private func toggleUntilStruck() async throws {
        let signs = CrowdSigns(size: crowd.members.count, lists: crowd.choices.lists)
        let delay = Duration.milliseconds(Int.random(in: 20...400, using: &random))
        try await crowd.all { [kind, timeout] member, client in
            try await member.toggle(over: client, signs, timeout: timeout) { kind.explains($0) }
        } meanwhile: {
            defer { signs.stop() }
            // One that fails before its first answer does not begin.
            try await wait(for: "all clients to toggle") { signs.begunCount + signs.endedCount >= signs.size }
            try await fault.strike(stage, after: delay, signs)
        }
    }

    /// Answers of earlier cycles are the same too.
    private func repeatVeterans() async throws {
        for (list, toggle) in veterans.shuffled(using: &random).prefix(16) {
            let again = SentToggle(toggle.requestID, list: list, characterID: toggle.characterID, wish: toggle.wish)
            let answer = try await crowd.anyone.send(again, timeout: .seconds(10))
            guard answer == toggle.answer else { throw RunError("\(Violation.answersDiffer(toggle.requestID))") }
            tally.repeated += 1
        }
        for (list, toggles) in crowd.members.flatMap(\.answered) {
            if let toggle = toggles.randomElement(using: &random) { veterans.append((list, toggle)) }
        }
        veterans = Array(veterans.shuffled(using: &random).prefix(64))
    }

    // MARK: Comparing

    /// - Returns: The changes since the list was found to be right before.
    private func verify(_ follower: ListFollower) async throws -> [FavoritesChange] {
        let verified = try await lists.verify(follower, by: crowd.anyone, crowd.members)
        tally.changes += verified.log.count
        tally.sights += verified.sightCount
        return verified.log
    }

    private func count() {
        for member in crowd.members {
            tally.toggles += member.answered.values.reduce(0) { $0 + $1.count }
            tally.resent += member.resentCount
            tally.repeated += member.repeatedCount
        }
    }
}
