internal import Catalog
internal import MarvelDomain
internal import TestDatabases
internal import Testing
internal import Upstream

@testable internal import FavoritesPostgres

/// The calls to a gateway that several servers share in a database.
@Suite(.needsPostgres) struct CallTests {
    private static let start = Moment(sinceEpoch: .seconds(1_790_000_040))

    /// A server with its budget, as `UpstreamCaller` uses it.
    private struct Server {
        var budget: CallBudget
        let ledger: PostgresCallLedger

        init(_ number: Int64, _ store: PostgresFavoritesStore, callsPerDay: Int, used: Int = 0, gateway: String = "g") {
            let minutes = [CallBudget.Minute(CallTests.start.minute, count: used)]
            budget = CallBudget(callsPerDay: callsPerDay, minutes: minutes, at: CallTests.start)
            budget.share(as: number)
            ledger = store.calls(to: gateway)
        }

        /// Carries out an exchange, changed as the test wants it.
        @discardableResult
        mutating func exchange(_ change: (inout CallExchange) -> Void = { _ in }) async throws -> CallExchange.Reply {
            var exchange = try next()
            change(&exchange)
            let reply = try #require(await ledger.exchange(exchange))
            budget.exchanged(reply, exchange)
            return reply
        }

        /// Makes the next exchange, which is not carried out.
        mutating func next() throws -> CallExchange {
            let exchange = budget.exchange(at: start)
            return try #require(exchange)
        }

        /// Makes calls until none are left.
        ///
        /// - Returns: The number of calls.
        mutating func spend() async throws -> Int {
            var count = 0
            while true {
                guard let refusal = budget.take(at: start) else {
                    count += 1
                    continue
                }
                guard case .budgetUnreachable = refusal else { return count }
                try await exchange()
            }
        }

        private var start: Moment { CallTests.start }
    }

    /// Returns the calls of each server that count.
    private func rows(_ server: PostgresServer, _ address: String) async throws -> String {
        try await server.run(
            """
            SELECT string_agg(replica || ':' || count, ' ' ORDER BY replica)
            FROM (SELECT replica, sum(count) AS count FROM marvel.upstream_calls GROUP BY replica) AS sums
            """,
            in: address
        )
    }

    @Test(arguments: [1, 7, 400])
    func serversThatReserveAtTheSameTimeGetAllCallsAndNoMore(_ callsPerDay: Int) async throws {
        try await withStores(3) { server, address, stores in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...9 {
                    let store = stores[number % 3]
                    group.addTask {
                        var server = Server(Int64(number), store, callsPerDay: callsPerDay)
                        return try await server.spend()
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(counts.reduce(0, +) == callsPerDay)
            let used = try await server.run("SELECT sum(count) FROM marvel.upstream_calls", in: address)
            #expect(used == "\(callsPerDay)")
        }
    }

    @Test func lostConnectionsLoseNoCallsAndMakeNone() async throws {
        try await withStores(2) { server, address, stores in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    for _ in 0..<10 { try await server.endConnections(to: address, named: "reader") }
                    return 0
                }
                for number in 1...4 {
                    let store = stores[number % 2]
                    group.addTask {
                        var server = Server(Int64(number), store, callsPerDay: 2_000)
                        return try await server.spend()
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(counts.reduce(0, +) == 2_000)
        }
    }

    /// A server that does not know whether its reservation was committed sends it again.
    @Test func anExchangeThatIsSentAgainReservesOnce() async throws {
        try await withStores { server, address, stores in
            let ledger = stores[0].calls(to: "g")
            var first = Server(1, stores[0], callsPerDay: 1_000)
            try await first.exchange()
            #expect(try await rows(server, address) == "1:2")
            var exchange = try first.next()
            exchange.wanted = 10
            for _ in 0..<3 {
                let reply = try #require(await ledger.exchange(exchange))
                #expect(reply.granted == 10 && reply.used == 12)
            }
            #expect(try await rows(server, address) == "1:12")
            // What a server lost with the reply, it does not claim.
            try await first.exchange { $0.wanted = 0 }
            #expect(try await rows(server, address) == "1:2")
            // A database that has lost its rows gets them again.
            try await server.run("DELETE FROM marvel.upstream_calls", in: address)
            let reduced = try await first.exchange { $0.wanted = 0 }
            #expect(reduced.used == 2)
        }
    }

    @Test func callsThatAreNotMadeAreGivenBack() async throws {
        try await withStores { _, _, stores in
            var first = Server(1, stores[0], callsPerDay: 1_000)
            var second = Server(2, stores[0], callsPerDay: 1_000)
            try await first.exchange { $0.wanted = 40 }
            #expect(first.budget.take(at: Self.start) == nil)
            let asked = try await second.exchange { $0.wanted = 1 }
            #expect(asked.used == 41)
            let last = first.budget.lastExchange(at: Self.start)
            let reply = await first.ledger.exchange(try #require(last))
            #expect(reply?.used == 2)
        }
    }

    @Test func aServerGetsASixteenthOfWhatIsLeft() async throws {
        try await withStores { _, _, stores in
            var first = Server(1, stores[0], callsPerDay: 320)
            let reply = try await first.exchange { $0.wanted = 1_000 }
            #expect(reply.granted == 20 && reply.share == 20)
            let secondReply = try await first.exchange { $0.wanted = 1_000 }
            #expect(secondReply.granted == 18)
            var greedy = Server(2, stores[0], callsPerDay: 40)
            let smaller = try await greedy.exchange { $0.wanted = 1_000 }
            #expect(smaller.granted == 1, "its budget is smaller")
            var other = Server(3, stores[0], callsPerDay: 320, gateway: "another")
            let separate = try await other.exchange { $0.wanted = 1_000 }
            #expect(separate.granted == 20, "each gateway has its own")
        }
    }

    /// The hours of the rows are set back, as if time had passed.
    @Test func callsCountForTheirHourAndTheTwentyFiveAfterIt() async throws {
        try await withStores { server, address, stores in
            var first = Server(1, stores[0], callsPerDay: 100)
            let reply = try await first.exchange { $0.wanted = 5 }
            #expect(reply.oldestHour == reply.hour - 25)
            #expect((Duration.seconds(3_540)...Duration.seconds(7_140)).contains(reply.usableTime))
            #expect(reply.refillTime == reply.usableTime + .seconds(24 * 3_600 + 60))
            try await server.run("UPDATE marvel.upstream_calls SET hour = hour - 25", in: address)
            var second = Server(2, stores[0], callsPerDay: 100)
            let asked = try await second.exchange { $0.wanted = 0 }
            #expect(asked.used == 5)
            #expect(asked.refillTime <= .seconds(3_600))
            try await server.run("UPDATE marvel.upstream_calls SET hour = hour - 1", in: address)
            let late = try await second.exchange { $0.wanted = 0 }
            #expect(late.used == 0)
            #expect(try await rows(server, address) == "")
            // A claim from before then is no longer one.
            let old = CallExchange.Claim(hour: reply.hour - 26, count: 9)
            let claimed = try await second.exchange { ($0.wanted, $0.claims) = (0, [old]) }
            #expect(claimed.used == 0)
        }
    }

    @Test func theFirstServerBringsTheCallsThatItMadeAlone() async throws {
        try await withStores { server, address, stores in
            var first = Server(1, stores[0], callsPerDay: 1_000, used: 300)
            let brought = try await first.exchange()
            #expect(brought.used == 302)
            var second = Server(2, stores[0], callsPerDay: 1_000, used: 200)
            let unknown = try await second.exchange()
            #expect(unknown.used == 304, "those of the second one are not known")
            #expect(try await rows(server, address) == "0:300 1:2 2:2")
        }
    }

    @Test func aPauseIsSharedUntilACallIsAnswered() async throws {
        try await withStores(2) { _, _, stores in
            var first = Server(1, stores[0], callsPerDay: 1_000)
            var second = Server(2, stores[1], callsPerDay: 1_000)
            try await first.exchange()
            let before = try await second.exchange()
            #expect(before.pause == nil)
            first.budget.refused(retryAfter: nil, at: Self.start)
            let begun = try await first.exchange()
            #expect(begun.pauseRevision == 1)
            let reply = try await second.exchange()
            #expect(reply.pauseRevision == 1)
            let pause = try #require(reply.pause)
            #expect(pause.isProbed && pause.timeLeft <= .seconds(900) && pause.timeLeft > .seconds(600))
            #expect(second.budget.take(at: Self.start)?.retryDelay != nil, "the second server does not call either")
            second.budget.answered()
            try await second.exchange()
            let ended = try await first.exchange()
            #expect(ended.pauseRevision == 2)
            #expect(first.budget.block == nil)
        }
    }

    /// An idle server writes nothing, so it makes no commit wait for a standby.
    @Test func anExchangeThatChangesNothingWritesNothing() async throws {
        try await withStores { server, address, stores in
            var first = Server(1, stores[0], callsPerDay: 1_000)
            try await first.exchange()
            let row = "SELECT xmin, xmax FROM marvel.upstream_calls"
            let before = try await server.run(row, in: address)
            for _ in 0..<3 { try await first.exchange { $0.wanted = 0 } }
            #expect(try await server.run(row, in: address) == before)
        }
    }
}
