import CrashTestChecks
import LongRuns
import MarvelClient
import MarvelDomain

/// The counts of a run.
struct ClusterTally: CustomStringConvertible {
    var cycles = 0
    var toggles = 0
    var resent = 0
    var repeated = 0
    var changes = 0
    var sights = 0
    var faults: [ClusterFault: Int] = [:]
    var disturbances = Disturbance.Counts()

    var description: String {
        let struck = faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        return """
            \(cycles) cycles (\(struck.joined(separator: ", "))): \(toggles) toggles acknowledged, \(resent) sent again \
            unanswered, \(repeated) repeated, \(changes) changes checked, \(sights) events of watchers checked; \
            \(disturbances.cuts) connections cut in the middle, \(disturbances.droppedNotifications) notifications lost, \
            \(disturbances.delayedNotifications) late, \(disturbances.delayedBytes / 1_024) KiB of feeds late
            """
    }
}

/// The cycles of a run: all toggle, something goes wrong and is mended, what was not answered is sent again, and every list
/// is compared with what its clients were told.
final class ClusterRun {
    private let cluster: Cluster
    private let faults: [ClusterFault]
    private var crowd: Crowd
    private var random: SplitMix64
    private var lists = VerifiedLists()
    private(set) var tally = ClusterTally()
    private(set) var fault: ClusterFault?

    init(_ cluster: Cluster, faults: [ClusterFault], crowd: Crowd, random: SplitMix64) {
        self.cluster = cluster
        self.faults = faults
        self.crowd = crowd
        self.random = random
    }

    func run(for duration: Duration) async throws {
        try await cluster.start()
        let end = ContinuousClock.now + duration
        let followers = try await makeLists()
        // Each takes a replica, and goes to another one when that fails.
        let watching = followers.map { _ in MarvelClient(servers: cluster.addresses) }
        try await withThrowingTaskGroup { group in
            for (follower, client) in zip(followers, watching) {
                group.addTask { try await follower.run(client) }
            }
            for follower in followers { _ = try await follower.sights(upTo: lists.revision(of: follower.list)) }
            while ContinuousClock.now < end {
                try await runCycle(followers)
                tally.cycles += 1
                if tally.cycles.isMultiple(of: 10) { Progress.show("\(tally)") }
            }
            group.cancelAll()
        }
        for client in watching { await client.shutdown() }
    }

    private func makeLists() async throws -> [ListFollower] {
        await connect()
        var followers: [ListFollower] = []
        for list in crowd.choices.lists {
            for id in crowd.choices.characterIDs.prefix(2) {
                _ = try await crowd.anyone.toggleFavorite(id, desired: .saved, list: list)
            }
            let base = try await crowd.anyone.favorites(list: list).list
            lists.begin(list, with: base)
            // One change back, so that each has an event at once.
            followers.append(ListFollower(list, at: base.revision - 1))
        }
        return followers
    }

    /// Gives each connection a replica of its own choice.
    private func connect() async { await crowd.connect { _ in cluster.addresses } }

    private func runCycle(_ followers: [ListFollower]) async throws {
        let fault = faults[Int.random(in: faults.indices, using: &random)]
        self.fault = fault
        await connect()
        try await toggle(during: fault)
        await connect()
        try await crowd.all { member, client in
            try await member.sendAgain(over: client)
            try await member.repeatSome(over: client)
        }
        for follower in followers {
            let verified = try await lists.verify(follower, by: crowd.anyone, crowd.members)
            tally.changes += verified.log.count
            tally.sights += verified.sightCount
        }
        tally.faults[fault, default: 0] += 1
        count()
        crowd.forget()
    }

    private func toggle(during fault: ClusterFault) async throws {
        let signs = CrowdSigns(size: crowd.members.count, lists: crowd.choices.lists)
        let delay = Duration.milliseconds(Int.random(in: 20...400, using: &random))
        var random = random
        try await crowd.all { member, client in
            try await member.toggle(over: client, signs, timeout: .seconds(5)) { error in
                [.unavailable, .deadlineExceeded, .aborted].contains(error.code)
            }
        } meanwhile: {
            defer { signs.stop() }
            try await wait(for: "all clients to toggle") { signs.begunCount + signs.endedCount >= signs.size }
            try await Task.sleep(for: delay)
            try await fault.strike(cluster, using: &random)
            try await Task.sleep(for: delay)
        }
        self.random = random
    }

    private func count() {
        tally.disturbances = cluster.disturbance.counts
        for member in crowd.members {
            tally.toggles += member.answered.values.reduce(0) { $0 + $1.count }
            tally.resent += member.resentCount
            tally.repeated += member.repeatedCount
        }
    }
}
