import MarvelDomain
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MailboxTests {
    private let feed = StoreFeed()
    private let mailbox = Mailbox(backlog: 100_000)

    private func send(_ numbers: ClosedRange<Int64>) {
        for number in numbers { feed.send(.renewed(HistoryID(number))) }
    }

    private func take(_ mailbox: Mailbox) -> [StoreEvent] {
        var events: [StoreEvent] = []
        mailbox.takeAll { events.append($0) }
        return events
    }

    @Test func eventsWaitUntilTheyAreTaken() {
        feed.subscribe(mailbox) {}
        #expect(take(mailbox) == [])
        send(1...3)
        #expect(take(mailbox) == [.renewed(HistoryID(1)), .renewed(HistoryID(2)), .renewed(HistoryID(3))])
        #expect(take(mailbox) == [])
    }

    @Test func theOwnerIsCalledOnceForEventsThatWait() {
        let count = Mutex(0)
        feed.subscribe(mailbox) { count.withLock { $0 += 1 } }
        send(1...3)
        #expect(count.withLock { $0 } == 1)
        _ = take(mailbox)
        send(4...4)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func missedEventsAreReportedInTheirPlace() {
        let mailbox = Mailbox(backlog: 2)
        feed.subscribe(mailbox) {}
        send(1...5)
        #expect(take(mailbox) == [.renewed(HistoryID(1)), .renewed(HistoryID(2)), .lost])
        send(6...6)
        #expect(take(mailbox) == [.renewed(HistoryID(6))])
    }

    @Test func aMailboxThatIsReleasedGetsNothing() {
        let count = Mutex(0)
        do {
            let mailbox = Mailbox(backlog: 64)
            feed.subscribe(mailbox) { count.withLock { $0 += 1 } }
            send(1...1)
            withExtendedLifetime(mailbox) {}
        }
        send(2...2)
        #expect(count.withLock { $0 } == 1)
    }

    /// Whoever was told of an event finds it handled, although others take from the mailbox at the same time.
    @Test func eventsSentBeforeAreHandledWhenTakingReturns() async {
        feed.subscribe(mailbox) {}
        let progress = Progress()
        await withTaskGroup { [feed, mailbox] group in
            group.addTask {
                for number: Int64 in 1...5_000 {
                    feed.send(.renewed(HistoryID(number)))
                    progress.sent.withLock { $0 = number }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while true {
                        let before = progress.sent.withLock { $0 }
                        mailbox.takeAll { event in
                            guard case .renewed(let history) = event else { return }
                            progress.handled.withLock { $0.append(history.value) }
                        }
                        let last = progress.handled.withLock { $0.last ?? 0 }
                        #expect(last >= before)
                        if before == 5_000 { return }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(progress.handled.withLock { $0 } == Array(1...5_000))
    }

    private final class Progress: Sendable {
        /// The last event that was sent.
        let sent = Mutex<Int64>(0)
        let handled = Mutex<[Int64]>([])
    }
}
