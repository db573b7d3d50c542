import MarvelDomain
import Testing

/// Many threads at once; deploy/test runs this under the thread sanitizer too.
@Suite(.timeLimit(.minutes(10)))
struct SubjectLoadTests {
    private struct Sent: Hashable {
        let sender: Int
        let number: Int
    }

    private static let senders = 8
    private static let perSender = 2_000
    private static var total: Int { senders * perSender }

    private static func send(_ send: @escaping @Sendable (Sent) -> Void) async {
        await withTaskGroup { group in
            for sender in 0..<senders {
                group.addTask { for number in 0..<perSender { send(Sent(sender: sender, number: number)) } }
            }
        }
    }

    @Test func allSubscribersHearTheSameInTheSameOrder() async throws {
        let subject = Subject<Sent>()
        let recorders = (0..<4).map { _ in Recorder<Sent>() }
        let mailboxes = recorders.map { _ in subject.mailbox(backlog: Self.total) {} }
        await Self.send { subject.send($0) }
        for (recorder, mailbox) in zip(recorders, mailboxes) {
            mailbox.takeAll { if case .value(let sent) = $0 { recorder.record(sent) } }
            #expect(recorder.values.count == Self.total)
            #expect(recorder.values == recorders[0].values)
        }
        for sender in 0..<Self.senders {
            let numbers = recorders[0].values.filter { $0.sender == sender }.map(\.number)
            #expect(numbers == Array(0..<Self.perSender))
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
        let subject = Subject<Int>()
        let current = CurrentValueSubject(0)
        let received = Recorder<Int>()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<2_000 {
                        subject.send(number)
                        current.send(number)
                    }
                }
                group.addTask {
                    for _ in 0..<500 {
                        let mailbox = subject.mailbox { received.record(1) }
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
