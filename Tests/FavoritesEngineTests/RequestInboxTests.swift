internal import MarvelDomain
internal import Testing

@testable internal import FavoritesEngine

@Suite struct RequestInboxTests {
    private var inbox = RequestInbox(limits: InboxLimits(maximumCount: 5, maximumGroup: 3))

    /// Adds a request with a number.
    private mutating func add(_ number: Int64) -> RequestInbox.OnAdded {
        let toggle = Toggle(list: .default, characterID: number)
        return inbox.added(FavoritesRequest(.toggle(toggle, nil), key: nil, arrival: .now, reply: .any { _ in }))
    }

    /// Takes a group, and returns its numbers.
    private mutating func takeGroup() -> [Int64] {
        inbox.takeGroup().compactMap { request in
            if case .toggle(let toggle, _) = request.kind { toggle.characterID } else { nil }
        }
    }

    @Test mutating func theFirstWakesTheWriterAndTheOthersWait() {
        #expect(add(1) == .wakeWriter)
        #expect(add(2) == .wait)
        #expect(takeGroup() == [1, 2])
    }

    @Test mutating func requestsDuringACommitAreTheNextGroup() {
        _ = add(1)
        #expect(takeGroup() == [1])
        #expect(add(2) == .wait)
        #expect(add(3) == .wait)
        #expect(inbox.groupFinished() == true)
        #expect(takeGroup() == [2, 3])
        #expect(inbox.groupFinished() == false)
        #expect(add(4) == .wakeWriter)
    }

    @Test mutating func aGroupIsBoundedAndKeepsTheOrder() {
        for number: Int64 in 1...5 { _ = add(number) }
        #expect(takeGroup() == [1, 2, 3])
        #expect(inbox.groupFinished() == true)
        #expect(takeGroup() == [4, 5])
    }

    @Test mutating func requestsAboveTheMaximumAreRefused() {
        for number: Int64 in 1...5 { #expect(add(number) != .refuse(.overloaded)) }
        #expect(add(6) == .refuse(.overloaded))
        #expect(takeGroup() == [1, 2, 3])
        #expect(add(7) == .wait)
    }

    @Test mutating func aClosedInboxRefusesFurtherRequests() {
        #expect(add(1) == .wakeWriter)
        inbox.close(with: .unavailable("closed"))
        inbox.close(with: .cancelled)
        #expect(add(2) == .refuse(.unavailable("closed")))
        #expect(takeGroup() == [1])
        #expect(inbox.groupFinished() == false)
    }
}
