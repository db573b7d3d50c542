import Events
import Synchronization
import Testing

/// Many threads at once; deploy/test runs these under the thread sanitizer too.
@Suite(.timeLimit(.minutes(2)))
struct LoadTests {
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
        let deliveries: [Delivery] = [.inline, .task, .main, .task]
        let subscriptions = zip(recorders, deliveries).map { recorder, delivery in
            subject.subscribe(on: delivery, backlog: Self.total) { event in
                if case .value(let sent) = event { recorder.record(sent) }
            }
        }
        await Self.send { subject.send($0) }
        for recorder in recorders {
            try await recorder.wait { $0.count == Self.total }
            #expect(recorder.values == recorders[0].values)
        }
        for sender in 0..<Self.senders {
            let numbers = recorders[0].values.filter { $0.sender == sender }.map(\.number)
            #expect(numbers == Array(0..<Self.perSender))
        }
        withExtendedLifetime(subscriptions) {}
    }

    @Test func everyEventIsDeliveredOrCountedAsMissed() async throws {
        let subject = Subject<Sent>()
        let account = Recorder<SubjectEvent<Sent>>()
        let isBusy = Mutex(false)
        let subscription = subject.subscribe(on: .task, backlog: 3) { event in
            // It is held until the event is recorded: a second one at the same time would find it so.
            #expect(isBusy.withLockIfAvailable { _ in account.record(event) } != nil, "one event at a time")
        }
        await Self.send { subject.send($0) }
        try await account.wait { Self.count($0) == Self.total }
        var last = [Int](repeating: -1, count: Self.senders)
        for case .value(let sent) in account.values {
            #expect(sent.number > last[sent.sender])
            last[sent.sender] = sent.number
        }
        subscription.cancel()
    }

    private static func count(_ events: [SubjectEvent<Sent>]) -> Int {
        events.reduce(0) { sum, event in
            switch event {
            case .value: sum + 1
            case .missed(let count): sum + count
            }
        }
    }

    @Test func theLastValueIsNeverLost() async throws {
        let subject = CurrentValueSubject(0)
        let recorders = (0..<8).map { _ in Recorder<Int>() }
        for round in 1...200 {
            let subscriptions = recorders.map { recorder in
                subject.subscribe(on: .task) { recorder.record($0) }
            }
            await withTaskGroup { group in
                for sender in 0..<4 { group.addTask { subject.send(round * 10 + sender) } }
            }
            let last = subject.value
            for recorder in recorders { try await recorder.wait { $0.last == last } }
            withExtendedLifetime(subscriptions) {}
        }
    }

    /// Cancelled where the subscriber is called: what comes after that is nobody's.
    @Test @MainActor func nothingIsDeliveredAfterACancelWhereItIsDelivered() async {
        let subject = Subject<Int>()
        let sender = Task.detached {
            while !Task.isCancelled {
                for number in 0..<100 { subject.send(number) }
                // What this loop waits for may need the thread that it is on.
                await Task.yield()
            }
        }
        for _ in 0..<200 {
            let isCancelled = Mutex(false)
            let (first, received) = AsyncStream.makeStream(of: Void.self)
            let subscription = subject.subscribe(on: .main) { _ in
                #expect(!isCancelled.withLock { $0 })
                received.finish()
            }
            for await _ in first {}
            subscription.cancel()
            isCancelled.withLock { $0 = true }
            await Task.yield()
        }
        sender.cancel()
        await sender.value
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
                    for number in 0..<500 {
                        let delivery: Delivery = number.isMultiple(of: 2) ? .inline : .task
                        let first = subject.subscribe(on: delivery) { _ in received.record(1) }
                        let second = current.subscribe(on: delivery) { _ in received.record(1) }
                        await Task.yield()
                        first.cancel()
                        withExtendedLifetime(second) {}
                    }
                }
            }
        }
        #expect(!received.values.isEmpty)
    }
}
