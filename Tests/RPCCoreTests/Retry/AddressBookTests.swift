import NIOCore
import RPCCore
import Testing

struct AddressBookTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private static let a = ServerAddress.tcp(host: "a", port: 1)
    private static let b = ServerAddress.tcp(host: "b", port: 2)
    private static let c = ServerAddress.unix(path: "/c")

    private func book(_ addresses: ServerAddress...) -> AddressBook {
        AddressBook(addresses, backoff: Backoff(initial: .seconds(1), maximum: .seconds(4)))
    }

    private func time(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

    @Test func addressesAreTriedInOrder() {
        var book = book(Self.a, Self.b)
        #expect(book.next(now: time(0)) == .connect(Self.a))
        book.connectFailed(Self.a, now: time(0), random: 1)
        #expect(book.next(now: time(0)) == .connect(Self.b))
    }

    @Test func whenAllFailedTheSoonestIsWaitedFor() {
        var book = book(Self.a, Self.b)
        book.connectFailed(Self.a, now: time(0), random: 1)
        book.connectFailed(Self.b, now: time(0), random: 0.5)
        #expect(book.next(now: time(0)) == .wait(until: Self.start + .milliseconds(500)))
        #expect(book.next(now: time(1)) == .connect(Self.a))
    }

    @Test func eachFailureLeavesAnAddressAloneForLonger() {
        var book = book(Self.a)
        var now = time(0)
        var waits: [TimeAmount] = []
        for _ in 0..<5 {
            book.connectFailed(Self.a, now: now, random: 1)
            guard case .wait(let until) = book.next(now: now) else { break }
            waits.append(until - now)
            now = until
        }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(4), .seconds(4)])
        book.connected(Self.a)
        book.connectFailed(Self.a, now: now, random: 1)
        #expect(book.next(now: now) == .wait(until: now + .seconds(1)))
    }

    @Test func theOneThatWorkedLastComesFirst() {
        var book = book(Self.a, Self.b)
        book.connectFailed(Self.a, now: time(0), random: 1)
        book.connected(Self.b)
        #expect(book.next(now: time(9)) == .connect(Self.b))
    }

    @Test func aStoppingServerComesLastAndLater() {
        var book = book(Self.a, Self.b)
        book.connected(Self.a)
        book.serverStopping(at: Self.a, until: time(5))
        #expect(book.next(now: time(0)) == .connect(Self.b))
        book.connectFailed(Self.b, now: time(0), random: 1)
        book.connectFailed(Self.b, now: time(2), random: 1)
        #expect(book.next(now: time(2)) == .wait(until: time(4)))
        #expect(book.next(now: time(5)) == .connect(Self.b))
        book.connectFailed(Self.b, now: time(5), random: 1)
        #expect(book.next(now: time(5)) == .connect(Self.a))
    }

    @Test func alternativesComeFirstAndGoWithTheNextOnes() {
        var book = book(Self.a)
        book.serverStopping(at: Self.a, until: time(5), alternatives: [Self.c])
        #expect(book.next(now: time(0)) == .connect(Self.c))
        book.serverStopping(at: Self.c, until: time(9), alternatives: [Self.b])
        #expect(book.next(now: time(0)) == .connect(Self.b))
        book.connectFailed(Self.b, now: time(0), random: 1)
        #expect(book.next(now: time(0)) == .wait(until: time(1)))
    }

    @Test func nobodyIsNowhere() {
        #expect(AddressBook([]).next(now: time(0)) == .none)
    }
}
