import MarvelDomain
import NIOCore
import RPCCore
import Testing

/// A table of events with their times in milliseconds. The first failure costs 100 ms, the next 200, and so on to 1 s.
struct AddressBookTests {
    enum Event: Sendable {
        case connect(Int64, ServerEndpoint)
        case wait(Int64, until: Int64)
        case succeeded(ServerEndpoint)
        case failed(Int64, ServerEndpoint)
        case lost(ServerEndpoint)
        case wentAway(Int64, ServerEndpoint, retryAfter: Duration? = nil)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var addresses: [ServerEndpoint] = [a, b, c]
        let events: [Event]
    }

    static let a = ServerEndpoint(.tcp(host: "10.0.0.1", port: 1))
    static let b = ServerEndpoint(.tcp(host: "10.0.0.2", port: 2))
    static let c = ServerEndpoint(.unix(path: "/c"))
    static let x = ServerEndpoint(.tcp(host: "x", port: 9))
    /// A name of several addresses.
    static let n = ServerEndpoint(.tcp(host: "name", port: 7))

    static let stories: [Story] = [
        Story(
            testDescription: "they are tried in order, and then there is a wait for the first that may be tried again",
            events: [
                .connect(0, a), .failed(0, a), .connect(10, b), .failed(10, b), .connect(20, c), .failed(20, c),
                .wait(20, until: 100), .wait(99, until: 100), .connect(100, a),
            ]
        ),
        Story(
            testDescription: "each has its own delay, longer with each failure",
            addresses: [a, b],
            events: [
                .failed(0, a), .failed(0, b), .connect(100, a), .failed(100, a), .connect(100, b), .failed(100, b),
                .wait(101, until: 300), .connect(300, a), .failed(300, a), .connect(300, b), .failed(350, b),
                .wait(350, until: 700), .connect(700, a), .failed(700, a), .wait(700, until: 750), .connect(750, b),
            ]
        ),
        Story(
            testDescription: "the wait grows to its maximum",
            addresses: [a],
            events: [
                .failed(0, a), .wait(0, until: 100), .failed(100, a), .wait(100, until: 300), .failed(300, a),
                .wait(300, until: 700), .failed(700, a), .wait(700, until: 1_500), .failed(1_500, a),
                .wait(1_500, until: 2_500), .failed(2_500, a), .wait(2_500, until: 3_500),
            ]
        ),
        Story(
            testDescription: "the last good one is the first to be tried",
            events: [
                .failed(0, a), .succeeded(b), .connect(1_000, b), .failed(1_000, b), .connect(1_000, a),
                .succeeded(a), .connect(1_001, a),
            ]
        ),
        Story(
            testDescription: "a success ends the wait, and the next failure is a first one",
            addresses: [a],
            events: [
                .failed(0, a), .failed(100, a), .wait(100, until: 300), .succeeded(a), .connect(100, a),
                .failed(100, a), .wait(100, until: 200),
            ]
        ),
        Story(
            testDescription: "one that goes away is tried last",
            events: [
                .succeeded(a), .wentAway(0, a), .connect(0, b), .failed(0, b), .connect(0, c), .failed(0, c),
                .connect(0, a),
            ]
        ),
        Story(
            testDescription: "one whose connection was lost is tried last, and is an address like others then",
            events: [
                .succeeded(b), .lost(b), .connect(0, a), .failed(0, a), .connect(0, c), .failed(0, c), .connect(0, b),
                .succeeded(c), .lost(b), .connect(0, c), .failed(0, c), .connect(0, b), .connect(100, c),
            ]
        ),
        Story(
            testDescription: "the only one is tried again when its connection was lost",
            addresses: [a],
            events: [.succeeded(a), .lost(a), .connect(0, a), .failed(0, a), .wait(0, until: 100)]
        ),
        Story(
            testDescription: "one that goes away may be all there is",
            addresses: [a],
            events: [.succeeded(a), .wentAway(0, a), .connect(0, a)]
        ),
        Story(
            testDescription: "one that names a delay rests that long",
            addresses: [a],
            events: [
                .wentAway(0, a, retryAfter: .seconds(5)), .wait(0, until: 5_000), .wait(4_999, until: 5_000),
                .connect(5_000, a),
            ]
        ),
        Story(
            testDescription: "but not for a year",
            addresses: [a],
            events: [.wentAway(0, a, retryAfter: .seconds(31_536_000)), .wait(0, until: 300_000)]
        ),
        Story(
            testDescription: "without an address there is nothing to try",
            addresses: [],
            events: [.wait(0, until: NIODeadline.distantFuture.milliseconds)]
        ),
    ]

    @Test(arguments: stories)
    func addressesAreTriedInTurn(_ story: Story) {
        var book = AddressBook(
            story.addresses,
            backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1))
        )
        for (number, event) in story.events.enumerated() {
            switch event {
            case .connect(let now, let address):
                #expect(book.nextAttempt(now: time(now)) == .connect(ServerRoute(address)), "event \(number)")
            case .wait(let now, let until):
                #expect(book.nextAttempt(now: time(now)).milliseconds == until, "event \(number)")
            case .succeeded(let address):
                book.succeeded(ServerRoute(address))
            case .failed(let now, let address):
                book.failed(ServerRoute(address), now: time(now), random: 1)
            case .lost(let address):
                book.lost(ServerRoute(address))
            case .wentAway(let now, let address, let retryAfter):
                book.goAwayReceived(ServerRoute(address), retryAfter: retryAfter, now: time(now))
            }
        }
    }

    @Test func aReturnedServerMayBeTriedImmediately() {
        var book = AddressBook([Self.a, Self.b])
        book.failed(ServerRoute(Self.b), now: time(0), random: 1)
        book.goAwayReceived(ServerRoute(Self.a), retryAfter: .seconds(30), now: time(0))
        book.forgetFailures()
        #expect(book.nextAttempt(now: time(0)) == .connect(ServerRoute(Self.b)))
        book.failed(ServerRoute(Self.b), now: time(0), random: 1)
        #expect(book.nextAttempt(now: time(0)).milliseconds == 200, "its delay starts over, and a keeps its 30 s")
    }

    @Test func chanceSpreadsTheClientsOfOneServer() {
        let ends = [0, 0.25, 0.5, 1].map { chance in
            var book = AddressBook([Self.a])
            book.failed(ServerRoute(Self.a), now: time(0), random: chance)
            return book.nextAttempt(now: time(0)).milliseconds
        }
        #expect(Set(ends).count == 4)
    }

    // MARK: Spreading

    @Test func chanceSpreadsClientsOverTheServers() {
        let servers = (1...3).map { ServerEndpoint(.tcp(host: "10.0.0.\($0)", port: 1)) }
        var firsts: [AddressBook.OnAttempt: Int] = [:]
        var generator = SplitMix64(seed: 7)
        for _ in 1...3_000 {
            let book = AddressBook(servers) { Double.random(in: 0..<1, using: &generator) }
            firsts[book.nextAttempt(now: time(0)), default: 0] += 1
        }
        #expect(firsts.count == 3)
        #expect(firsts.values.allSatisfy { (850...1_150).contains($0) }, "\(firsts)")
    }

    /// The servers are restarted one after the other, so the last is left without clients. Then connections reach their age.
    @Test func clientsSpreadAgainWhenTheirConnectionsReachTheirAge() throws {
        let servers = (1...3).map { ServerEndpoint(.tcp(host: "10.0.0.\($0)", port: 1)) }
        var generator = SplitMix64(seed: 7)
        let random = { Double.random(in: 0..<1, using: &generator) }
        var clients = (1...3_000).map { _ in
            (book: AddressBook(servers, random: random), route: ServerRoute(servers[0]))
        }
        func connect(_ index: Int) throws {
            guard case .connect(let route) = clients[index].book.nextAttempt(now: time(0)) else { throw Missing() }
            clients[index].book.succeeded(route)
            clients[index].route = route
        }
        func end(_ index: Int) throws {
            let route = clients[index].route
            clients[index].book.goAwayReceived(route, retryAfter: nil, now: time(0), random: random)
            try connect(index)
            #expect(clients[index].route != route)
        }
        func counts() -> [Int] { servers.map { server in clients.count { $0.route.server == server } } }

        for index in clients.indices { try connect(index) }
        for server in servers {
            for index in clients.indices where clients[index].route.server == server { try end(index) }
        }
        #expect(counts()[2] == 0)
        for _ in 1...6 {
            for index in clients.indices { try end(index) }
            #expect(counts().allSatisfy { $0 > 300 }, "no address has no connection: \(counts())")
        }
        #expect(counts().allSatisfy { (850...1_150).contains($0) }, "\(counts())")
    }

    private struct Missing: Error {}

    // MARK: Host names

    private func address(_ text: String) -> ServerAddress { .tcp(host: text, port: 7) }
    private func route(_ text: String) -> ServerRoute { ServerRoute(Self.n, at: address(text)) }

    @Test func aNameIsLookedUpAndCountsAsAllItsAddresses() {
        var book = AddressBook([Self.n])
        #expect(book.nextAttempt(now: time(0)) == .lookUp(Self.n))
        book.resolved(Self.n, ["::1", "::2", "10.0.0.8"].map(address), now: time(0)) { 0 }
        #expect(book.nextAttempt(now: time(0)) == .connect(route("::2")), "chance chose it")
        book.failed(route("::2"), now: time(0), random: 1)
        #expect(book.nextAttempt(now: time(0)) == .connect(route("::1")), "a family of addresses stays together")
        book.failed(route("::1"), now: time(0), random: 1)
        #expect(book.nextAttempt(now: time(0)) == .connect(route("10.0.0.8")))
        book.failed(route("10.0.0.8"), now: time(0), random: 1)
        #expect(book.nextAttempt(now: time(0)).milliseconds == 200)
    }

    @Test func theGoodAddressOfANameIsKeptAndTheNameIsLookedUpBeforeAnother() {
        var book = AddressBook([Self.n])
        book.resolved(Self.n, ["10.0.0.8", "10.0.0.9"].map(address), now: time(0)) { 1 }
        book.succeeded(route("10.0.0.9"))
        #expect(book.nextAttempt(now: time(60_000)) == .connect(route("10.0.0.9")))
        book.lost(route("10.0.0.9"))
        #expect(book.nextAttempt(now: time(60_000)) == .lookUp(Self.n))
        // The lost address is gone, and another has come.
        book.resolved(Self.n, ["10.0.0.7", "10.0.0.8"].map(address), now: time(60_000)) { 1 }
        var tried: [ServerRoute] = []
        while case .connect(let route) = book.nextAttempt(now: time(60_000)) {
            tried.append(route)
            book.failed(route, now: time(60_000), random: 1)
        }
        #expect(tried == [route("10.0.0.7"), route("10.0.0.8")])
    }

    @Test func aNameThatCannotBeLookedUpIsLeftAloneForAWhileAndKeepsItsAddresses() {
        var book = AddressBook([Self.n, Self.a])
        book.lookupFailed(Self.n, now: time(0), random: 1)
        #expect(book.nextAttempt(now: time(0)) == .connect(ServerRoute(Self.a)))
        book.failed(ServerRoute(Self.a), now: time(100), random: 1)
        #expect(book.nextAttempt(now: time(100)).milliseconds == 200)
        book.resolved(Self.n, [address("10.0.0.8")], now: time(200)) { 1 }
        book.lookupFailed(Self.n, now: time(5_200), random: 1)
        #expect(book.nextAttempt(now: time(5_200)) == .connect(route("10.0.0.8")))
        book.failed(route("10.0.0.8"), now: time(5_200), random: 1)
        book.failed(ServerRoute(Self.a), now: time(5_200), random: 1)
        book.forgetFailures()
        #expect(book.nextAttempt(now: time(5_200)) == .lookUp(Self.n))
    }

    @Test func aNameHasOnlySoManyAddresses() {
        var book = AddressBook([Self.n])
        book.resolved(Self.n, (0..<500).map { address("10.1.\($0 / 250).\($0 % 250)") }, now: time(0)) { 0.5 }
        var tried = 0
        while case .connect(let route) = book.nextAttempt(now: time(0)) {
            tried += 1
            book.failed(route, now: time(0), random: 1)
        }
        #expect(tried == 32)
    }

    private func time(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }
}

extension AddressBook.OnAttempt {
    /// The end of a wait.
    fileprivate var milliseconds: Int64? {
        guard case .wait(let until) = self else { return nil }
        return until.milliseconds
    }
}

extension NIODeadline {
    fileprivate var milliseconds: Int64 { Int64(uptimeNanoseconds / 1_000_000) }
}
