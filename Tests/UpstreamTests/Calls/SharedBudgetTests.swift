import Catalog
import RPCCore
import Synchronization
import Testing

@testable import Upstream

/// Servers that share a budget of calls: how they reserve, make and give back.
@Suite(.timeLimit(.minutes(1))) struct SharedBudgetTests {
    /// Budgets of two servers and more in memory, all in one hour.
    private final class Place: SharedCallLedger {
        private struct State {
            var claims: [Int64: Int] = [:]
            var isReachable = true
            var count = 0
        }

        private let callsPerDay: Int
        private let state = Mutex(State())

        init(callsPerDay: Int) { self.callsPerDay = callsPerDay }

        var used: Int { state.withLock { $0.claims.values.reduce(0, +) } }
        var exchangeCount: Int { state.withLock(\.count) }

        func setReachable(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }

        func exchange(_ exchange: CallExchange) async -> CallExchange.Reply? {
            state.withLock { state in
                state.count += 1
                guard state.isReachable else { return nil }
                state.claims[exchange.replica] = exchange.claims.reduce(0) { $0 + $1.count }
                let granted = min(exchange.wanted, callsPerDay - state.claims.values.reduce(0, +))
                state.claims[exchange.replica, default: 0] += granted
                let used = state.claims.values.reduce(0, +)
                return CallExchange.Reply(
                    hour: 1,
                    granted: granted,
                    usableTime: .seconds(5_400),
                    oldestHour: -24,
                    used: used,
                    share: callsPerDay - used,
                    refillTime: .seconds(50),
                    pause: nil,
                    pauseRevision: 0
                )
            }
        }
    }

    private let time = ManualTime()

    private func server(_ callsPerDay: Int) -> UpstreamCaller {
        let budget = CallBudget(callsPerDay: callsPerDay, at: time.now)
        return UpstreamCaller(gate: UpstreamGate(budget: budget), clock: time.clock)
    }

    /// Makes calls, and returns how many were made, and the errors of the others.
    private func make(_ count: Int, through servers: [UpstreamCaller]) async -> (made: Int, errors: [SourceError]) {
        await withTaskGroup(of: SourceError?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do throws(SourceError) {
                        try await servers[number % servers.count].call(deadline: { nil }) {
                            () async throws(SourceError) in await Task.yield()
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            let results = await group.reduce(into: [SourceError?]()) { $0.append($1) }
            return (results.count { $0 == nil }, results.compactMap(\.self))
        }
    }

    /// With blocks of one call, nearly all calls wait for an exchange.
    @Test(arguments: [1, 20, 130])
    func allServersTogetherMakeAsManyCallsAsThereAre(_ callsPerDay: Int) async {
        let place = Place(callsPerDay: callsPerDay)
        let servers = (0..<3).map { _ in server(callsPerDay) }
        for (number, server) in zip(Int64(1)..., servers) { await server.share(in: place, as: number) }
        var (made, errors) = (0, [SourceError]())
        for _ in 0..<20 {
            let result = await make(30, through: servers)
            made += result.made
            errors += result.errors
        }
        // What one server has reserved and does not need, the others do not get.
        #expect(made <= callsPerDay && made > callsPerDay - 3 * max(1, callsPerDay / 50))
        #expect(errors.allSatisfy { $0 == .budgetSpent(callsPerDay: callsPerDay, retryAfter: .seconds(50)) })
        for server in servers { await server.stopSharing() }
        #expect(place.used == made, "the rest is given back")
    }

    @Test func withoutThePlaceAServerMakesWhatItHasReserved() async {
        let place = Place(callsPerDay: 1_000)
        let server = server(1_000)
        await server.share(in: place, as: 1)
        #expect(await make(10, through: [server]).made == 10)
        #expect(server.status.callsLeft == 990)
        place.setReachable(false)
        let result = await make(40, through: [server])
        #expect(result.made >= 10 && result.made < 40)
        #expect(result.errors.allSatisfy { $0 == .budgetUnreachable(retryAfter: .seconds(2)) })
        let count = place.exchangeCount
        #expect(await make(10, through: [server]).made == 0)
        #expect(place.exchangeCount == count, "only the driver tries again")
        place.setReachable(true)
        var more = 0
        while more == 0 {
            time.advance(by: .seconds(2))
            more = await make(1, through: [server]).made
        }
        await server.stopSharing()
        #expect(place.used == 11 + result.made)
    }

    @Test func afterTheEndNoCallIsMade() async {
        let place = Place(callsPerDay: 100)
        let server = server(100)
        await server.share(in: place, as: 1)
        await server.stopSharing()
        #expect(place.used == 0)
        #expect(await make(3, through: [server]).errors.count == 3)
        #expect(place.used == 0)
    }
}
