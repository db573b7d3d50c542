import Synchronization
import Testing

@testable import Upstream

/// The order of one server's exchanges.
@Suite(.timeLimit(.minutes(1))) struct CallExchangerTests {
    /// A place that grants five calls with each exchange.
    private final class Place: SharedCallLedger {
        private let received = Mutex<[CallExchange]>([])

        var exchanges: [CallExchange] { received.withLock { $0 } }

        func exchange(_ exchange: CallExchange) async -> CallExchange.Reply? {
            received.withLock { $0.append(exchange) }
            return CallExchange.Reply(
                hour: 1,
                granted: 5,
                usableTime: .seconds(5_400),
                oldestHour: -24,
                used: 5,
                share: 50,
                refillTime: .seconds(50),
                pause: nil,
                pauseRevision: 0
            )
        }
    }

    /// A server, of whose calls one wants an exchange in the moment in which a reply arrives.
    private final class Server: Sendable {
        let place = Place()
        private let calls = Mutex(SharedCalls(replica: 1, callsPerDay: 1_000, block: nil))
        private let exchanger = Mutex<CallExchanger?>(nil)

        /// Makes exchanges until no other one is worth while.
        ///
        /// - Parameter count: The number of exchanges that are worth while.
        func run(_ count: Int) async {
            let now = ManualTime.start
            let made = CallExchanger(place, clock: ManualTime().clock) {
                self.calls.withLock { $0.exchange(block: nil, earlierCalls: 0, at: now) }
            } onEnd: { exchange, reply in
                self.exchanger.withLock { $0 }?.start()
                self.calls.withLock { calls in
                    if let reply { _ = calls.add(reply, to: exchange, block: nil) }
                }
            } wantsAnother: {
                self.place.exchanges.count < count
            }
            exchanger.withLock { $0 = made }
            while place.exchanges.count < count { _ = await made.exchange() }
            await made.stop { nil }
            exchanger.withLock { $0 = nil }
        }
    }

    @Test func anExchangeClaimsWhatTheOneBeforeHasReserved() async {
        let server = Server()
        await server.run(3)
        let claims = server.place.exchanges.map { $0.claims.map(\.count) }
        #expect(claims == [[], [5], [10]])
    }

    @Test func noExchangeBeginsBeforeTheReplyIsNoted() async {
        let server = Server()
        await server.run(1)
        #expect(server.place.exchanges.count == 1)
    }
}
