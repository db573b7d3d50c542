import MarvelDomain
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MailboxTests {
    private let subject = Subject<Int>()

    private func take(_ mailbox: Mailbox<Int>) -> [SubjectEvent<Int>] {
        var events: [SubjectEvent<Int>] = []
        mailbox.takeAll { events.append($0) }
        return events
    }

    @Test func eventsWaitUntilTheyAreTaken() {
        let mailbox = subject.mailbox {}
        #expect(take(mailbox) == [])
        for number in 1...3 { subject.send(number) }
        #expect(take(mailbox) == [.value(1), .value(2), .value(3)])
        #expect(take(mailbox) == [])
    }

    @Test func theOwnerIsCalledOnceForEventsThatWait() {
        let count = Mutex(0)
        let mailbox = subject.mailbox { count.withLock { $0 += 1 } }
        for number in 1...3 { subject.send(number) }
        #expect(count.withLock { $0 } == 1)
        _ = take(mailbox)
        subject.send(4)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func missedEventsAreCountedInTheirPlace() {
        let mailbox = subject.mailbox(backlog: 2) {}
        for number in 1...5 { subject.send(number) }
        #expect(take(mailbox) == [.value(1), .value(2), .missed(3)])
        subject.send(6)
        #expect(take(mailbox) == [.value(6)])
    }

    @Test func aMailboxThatIsReleasedGetsNothing() {
        let count = Mutex(0)
        do {
            let mailbox = subject.mailbox { count.withLock { $0 += 1 } }
            subject.send(1)
            withExtendedLifetime(mailbox) {}
        }
        subject.send(2)
        #expect(count.withLock { $0 } == 1)
    }

    /// Whoever was told of an event finds it handled, although others take from the mailbox at the same time.
    @Test func eventsSentBeforeAreHandledWhenTakingReturns() async {
        let mailbox = subject.mailbox(backlog: 100_000) {}
        let progress = Progress()
        await withTaskGroup { [subject] group in
            group.addTask {
                for number in 1...5_000 {
                    subject.send(number)
                    progress.sent.withLock { $0 = number }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while true {
                        let before = progress.sent.withLock { $0 }
                        mailbox.takeAll { event in progress.handled.withLock { $0.append(event.value ?? -1) } }
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
        let sent = Mutex(0)
        let handled = Mutex<[Int]>([])
    }
}
