import MarvelDomain
import Testing

/// Many threads at once; deploy/test runs this under the thread sanitizer too.
@Suite(.timeLimit(.minutes(10)))
struct SubjectLoadTests {
    private static let senders: Int64 = 8
    private static let perSender: Int64 = 2_000

    private static func event(_ sender: Int64, _ number: Int64) -> StoreEvent {
        .renewed(HistoryID(sender * perSender + number))
    }

    @Test func allSubscribersHearTheSameInTheSameOrder() async throws {
        let feed = StoreFeed()
        let recorders = (0..<4).map { _ in Recorder<StoreEvent>() }
        let mailboxes = recorders.map { _ in Mailbox(backlog: .max) }
        for mailbox in mailboxes { feed.subscribe(mailbox) {} }
        await withTaskGroup { group in
            for sender in 0..<Self.senders {
                group.addTask { for number in 0..<Self.perSender { feed.send(Self.event(sender, number)) } }
            }
        }
        for (recorder, mailbox) in zip(recorders, mailboxes) {
            mailbox.takeAll { recorder.record($0) }
            #expect(recorder.values == recorders[0].values)
        }
        #expect(recorders[0].values.count == Int(Self.senders * Self.perSender))
        for sender in 0..<Self.senders {
            let sent = (0..<Self.perSender).map { Self.event(sender, $0) }
            let isSent = Set(sent).contains
            #expect(recorders[0].values.filter(isSent) == sent)
        }
    }

    @Test func theLastValueIsNeverLost() async {
        let subject = CurrentValueSubject(0)
        for round in 1...200 {
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { for await number in subject.values where number == -round { return } }
                }
                await withTaskGroup { senders in
                    for sender in 0..<4 { senders.addTask { subject.send(round * 10 + sender) } }
                }
                subject.send(-round)
            }
        }
    }

    @Test func subscriptionsMayEndWhileManySend() async {
        let feed = StoreFeed()
        let current = CurrentValueSubject(0)
        let received = Recorder<Int>()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<2_000 {
                        feed.send(.lost)
                        current.send(number)
                    }
                }
                group.addTask {
                    for _ in 0..<500 {
                        let mailbox = Mailbox(backlog: 64)
                        feed.subscribe(mailbox) { received.record(1) }
                        var values = current.values.makeAsyncIterator()
                        if await values.next() != nil { received.record(1) }
                        mailbox.takeAll { _ in received.record(1) }
                    }
                }
            }
        }
        #expect(!received.values.isEmpty)
    }
}
