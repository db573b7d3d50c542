import MarvelDomain
import RPCCore
import Testing

@testable import MarvelService

/// A table of watches that begin and end. Each attempt to begin takes the next ticket, from 1.
@Suite struct WatchSharesTests {
    enum Event: Sendable {
        /// A caller, by its index, begins a watch of the list, or of the default one.
        case begin(Int, on: String = "", WatchShares.OnBegin = .begin)
        case end(WatchShares.Ticket)
        case count(Int, of: String? = nil)
    }

    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var total = 100
        var perList = 100
        let events: [Event]
    }

    static let stories: [Story] = [
        Story(
            testDescription: "one caller may have all places while nobody else wants one",
            total: 3,
            events: [.begin(0), .begin(0), .begin(0), .begin(0, .refuse(.total(3))), .count(3)]
        ),
        Story(
            testDescription: "the caller with the most pays with its newest watch",
            total: 3,
            events: [.begin(0), .begin(0), .begin(0), .begin(1, .displace(3, .total(3))), .count(3)]
        ),
        Story(
            testDescription: "until nobody has more than the newcomer would have",
            total: 4,
            events: [
                .begin(0), .begin(0), .begin(0), .begin(0), .begin(1, .displace(4, .total(4))),
                .begin(1, .displace(3, .total(4))), .begin(1, .refuse(.total(4))), .begin(0, .refuse(.total(4))),
            ]
        ),
        Story(
            testDescription: "a caller with less than the one with the most loses nothing",
            total: 6,
            events: [
                .begin(0), .begin(0), .begin(1), .begin(1), .begin(1), .begin(1), .begin(2, .displace(6, .total(6))),
                .begin(2, .displace(5, .total(6))), .begin(2, .refuse(.total(6))), .begin(3, .displace(8, .total(6))),
            ]
        ),
        Story(
            testDescription: "the first watch of a caller is never refused",
            total: 2,
            events: [
                .begin(0), .begin(1), .begin(2), .begin(3), .count(4), .begin(3, .refuse(.total(2))), .end(1), .end(2),
                .begin(3, .refuse(.total(2))), .end(3), .begin(3), .count(2),
            ]
        ),
        Story(
            testDescription: "a watch that ends leaves its place",
            total: 2,
            events: [.begin(0), .begin(0), .end(1), .begin(0), .end(2), .end(3), .count(0), .begin(0), .count(1)]
        ),
        Story(
            testDescription: "the newest of those that are left is the next to go",
            total: 3,
            events: [
                .begin(0), .begin(0), .begin(0), .end(2), .begin(1), .end(4), .begin(0), .end(5), .begin(1),
                .begin(1, .refuse(.total(3))), .begin(2, .displace(3, .total(3))),
            ]
        ),
        Story(
            testDescription: "a watch that was displaced ends once",
            total: 2,
            events: [.begin(0), .begin(0), .begin(1, .displace(2, .total(2))), .end(2), .count(2), .end(1), .count(1)]
        ),
        Story(
            testDescription: "each list has its own places",
            perList: 2,
            events: [
                .begin(0, on: "a"), .begin(0, on: "a"), .begin(0, on: "a", .refuse(.list(2))), .begin(0, on: "b"),
                .begin(0, on: "b"),
                .count(2, of: "a"), .count(2, of: "b"), .count(4),
            ]
        ),
        Story(
            testDescription: "who has the most of a list pays for it, whoever has the most in total",
            perList: 3,
            events: [
                .begin(0, on: "a"), .begin(0, on: "a"), .begin(0, on: "a"), .begin(1, on: "b"), .begin(1, on: "b"),
                .begin(1, on: "b"),
                .begin(1, on: "c"), .begin(1, on: "a", .displace(3, .list(3))), .count(3, of: "a"), .count(7),
            ]
        ),
        Story(
            testDescription: "a watch that took another one's place in its list takes none in total",
            total: 3,
            perList: 2,
            events: [
                .begin(0, on: "a"), .begin(0, on: "a"), .begin(1, on: "b"), .begin(2, on: "a", .displace(2, .list(2))),
                .count(3),
            ]
        ),
        Story(
            testDescription: "a list with room does not help when there is none in total",
            total: 3,
            perList: 2,
            events: [
                .begin(0, on: "a"), .begin(0, on: "a"), .begin(0, on: "b"), .begin(0, on: "c", .refuse(.total(3))),
                .begin(1, on: "c", .displace(3, .total(3))), .count(0, of: "b"), .count(1, of: "c"),
            ]
        ),
    ]

    @Test(arguments: stories)
    func watchesAreShared(_ story: Story) throws {
        var limits = WatchLimits()
        limits.maximumWatches = story.total
        limits.maximumWatchesPerList = story.perList
        var shares = WatchShares(limits)
        let callers = (0..<4).map { _ in CallerID.next() }
        var ticket: WatchShares.Ticket = 0
        for event in story.events {
            switch event {
            case .begin(let caller, let list, let expected):
                ticket += 1
                #expect(try shares.begin(ticket, of: callers[caller], on: name(list)) == expected, "ticket \(ticket)")
            case .end(let ticket):
                shares.end(ticket)
            case .count(let count, nil):
                #expect(shares.count == count)
            case .count(let count, let list?):
                #expect(try shares.count(of: name(list)) == count)
            }
        }
    }

    @Test func aCallerFromElsewhereHasAMaximumOfItsOwn() {
        var limits = WatchLimits()
        limits.maximumWatchesPerCaller = CallerShares(named: 3, anonymous: 1)
        var shares = WatchShares(limits)
        let callers = [CallerID.next(.named), .next(.anonymous), .next(.local)]
        var began: [CallerID: Int] = [:]
        for (number, caller) in (callers + callers + callers + callers + callers).enumerated() {
            switch shares.begin(UInt64(number), of: caller, on: .default) {
            case .begin: began[caller, default: 0] += 1
            case .refuse(let limit): #expect(limit == .caller(caller.kind == .named ? 3 : 1))
            case .displace: Issue.record("there is room")
            }
        }
        #expect(callers.map { began[$0] } == [3, 1, 5])
    }

    @Test func aHundredConnectionsMayHoldTenThousandWatchesOfOneList() {
        var shares = WatchShares(WatchLimits())
        for caller in 0..<100 as Range<WatchShares.Ticket> {
            let id = CallerID.next()
            for number in 1...100 as ClosedRange<WatchShares.Ticket> {
                #expect(shares.begin(caller * 100 + number, of: id, on: .default) == .begin)
            }
        }
        #expect(shares.count(of: .default) == 10_000)
    }

    private func name(_ list: String) throws -> ListName { try #require(ListName(list)) }
}

/// Any watches that begin and end, compared with a list of them.
@Suite struct WatchSharesModelTests {
    private struct Watch {
        let ticket: WatchShares.Ticket
        let caller: CallerID
        let list: ListName
    }

    private static let maximum = 20
    private static let maximumPerList = 8

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theOneWithTheMostPays(_ seed: UInt64) throws {
        var limits = WatchLimits()
        limits.maximumWatches = Self.maximum
        limits.maximumWatchesPerList = Self.maximumPerList
        var shares = WatchShares(limits)
        var generator = SplitMix64(seed: seed)
        let callers = (0..<10).map { _ in CallerID.next() }
        let lists = try ["a", "b", "c", "d"].map { try #require(ListName($0)) }
        var watches: [Watch] = []
        for ticket in 1...500 as ClosedRange<WatchShares.Ticket> {
            if Int.random(in: 0..<4, using: &generator) == 0, !watches.isEmpty {
                shares.end(watches.remove(at: .random(in: watches.indices, using: &generator)).ticket)
            }
            // The first callers want more than the others.
            let caller = callers[Int.random(in: 0...Int.random(in: 0..<10, using: &generator), using: &generator)]
            let watch = Watch(ticket: ticket, caller: caller, list: lists[.random(in: 0..<4, using: &generator)])
            let outcome = shares.begin(ticket, of: watch.caller, on: watch.list)
            watches = expected(outcome, watch, watches)
            #expect(shares.count == watches.count)
            for list in lists { #expect(shares.count(of: list) == watches.count { $0.list == list }) }
        }
        for watch in watches.shuffled(using: &generator) { shares.end(watch.ticket) }
        #expect(shares.count == 0)
    }

    /// - Returns: The watches that are open then.
    private func expected(_ outcome: WatchShares.OnBegin, _ watch: Watch, _ watches: [Watch]) -> [Watch] {
        let ofList = watches.filter { $0.list == watch.list }
        switch outcome {
        case .begin:
            let isFull = watches.count >= Self.maximum || ofList.count >= Self.maximumPerList
            #expect(!isFull || counts(watches)[watch.caller] == nil || counts(ofList)[watch.caller] == nil)
            return watches + [watch]
        case .displace(let other, let limit):
            let group = limit == .total(Self.maximum) ? watches : ofList
            let most = counts(group).values.max() ?? 0
            let payer = group.first { $0.ticket == other }?.caller
            #expect(group.count >= (limit == .total(Self.maximum) ? Self.maximum : Self.maximumPerList))
            #expect(payer.map { counts(group)[$0] } == most)
            #expect(group.last { $0.caller == payer }?.ticket == other, "its newest")
            #expect(most > (counts(group)[watch.caller] ?? 0) + 1)
            return watches.filter { $0.ticket != other } + [watch]
        case .refuse(let limit):
            let group = limit == .total(Self.maximum) ? watches : ofList
            let held = counts(group)[watch.caller] ?? 0
            #expect(group.count >= (limit == .total(Self.maximum) ? Self.maximum : Self.maximumPerList))
            #expect(held > 0 && counts(group).values.allSatisfy { $0 <= held + 1 })
            return watches
        }
    }

    private func counts(_ watches: [Watch]) -> [CallerID: Int] {
        watches.reduce(into: [:]) { $0[$1.caller, default: 0] += 1 }
    }
}
