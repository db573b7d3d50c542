internal import Testing

@testable internal import FavoritesEngine

@Suite struct RequestInboxTests {
    private var inbox = RequestInbox<Int>(limits: InboxLimits(maximumCount: 5, maximumGroup: 3))

    @Test mutating func theFirstWakesTheWriterAndTheOthersWait() {
        #expect(inbox.added(1) == .wakeWriter)
        #expect(inbox.added(2) == .wait)
        #expect(inbox.takeGroup() == [1, 2])
    }

    @Test mutating func whatComesDuringACommitIsTheNextGroup() {
        _ = inbox.added(1)
        #expect(inbox.takeGroup() == [1])
        #expect(inbox.added(2) == .wait)
        #expect(inbox.added(3) == .wait)
        #expect(inbox.groupFinished() == .takeAnother)
        #expect(inbox.takeGroup() == [2, 3])
        #expect(inbox.groupFinished() == .sleep)
        #expect(inbox.added(4) == .wakeWriter)
    }

    @Test mutating func aGroupIsBoundedAndTheOrderKept() {
        for number in 1...5 { _ = inbox.added(number) }
        #expect(inbox.takeGroup() == [1, 2, 3])
        #expect(inbox.groupFinished() == .takeAnother)
        #expect(inbox.takeGroup() == [4, 5])
    }

    @Test mutating func whatIsOverTheBoundIsRefused() {
        for number in 1...5 { #expect(inbox.added(number) != .refuse) }
        #expect(inbox.added(6) == .refuse)
        #expect(inbox.takeGroup() == [1, 2, 3])
        #expect(inbox.added(7) == .wait)
    }
}
