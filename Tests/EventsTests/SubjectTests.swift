import Events
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SubjectTests {
    private let subject = Subject<Int>()
    private let recorder = Recorder<SubjectEvent<Int>>()

    @Test func aSubscriberGetsWhatIsSentWhileItIsSubscribed() {
        subject.send(1)
        let subscription = subject.subscribe { [recorder] in recorder.record($0) }
        subject.send(2)
        subject.send(3)
        subscription.cancel()
        subject.send(4)
        #expect(recorder.values == [.value(2), .value(3)])
    }

    @Test func allSubscribersGetEveryEvent() {
        let subscriptions = (0..<3).map { _ in subject.subscribe { [recorder] in recorder.record($0) } }
        subject.send(7)
        #expect(recorder.values == [.value(7), .value(7), .value(7)])
        withExtendedLifetime(subscriptions) {}
    }

    @Test func aSubscriptionEndsWithItsOwner() {
        final class Owner {
            let subscription: Subscription
            init(_ subscription: Subscription) { self.subscription = subscription }
        }
        var owner: Owner? = Owner(subject.subscribe { [recorder] in recorder.record($0) })
        subject.send(1)
        withExtendedLifetime(owner) {}
        owner = nil
        subject.send(2)
        #expect(recorder.values == [.value(1)])
    }

    @Test func whatTheSubscriberHoldsIsLetGoOfWhenItsSubscriptionEnds() {
        weak var held: Recorder<SubjectEvent<Int>>?
        let subscription: Subscription
        do {
            let holder = Recorder<SubjectEvent<Int>>()
            held = holder
            subscription = subject.subscribe { holder.record($0) }
        }
        #expect(held != nil)
        subscription.cancel()
        #expect(held == nil)
    }

    @Test func whatWaitsWhenASubscriptionEndsIsNotDelivered() {
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery) { [recorder] in recorder.record($0) }
        subject.send(1)
        subscription.cancel()
        held.deliver()
        #expect(recorder.values.isEmpty)
    }

    @Test func aSubscriberMayEndItsSubscriptionInTheMiddle() {
        let held = HeldDelivery()
        let own = Recorder<Subscription>()
        let subscription = subject.subscribe(on: held.delivery) { [recorder] event in
            recorder.record(event)
            if event == .value(2) { own.values.first?.cancel() }
        }
        own.record(subscription)
        for number in 1...4 { subject.send(number) }
        held.deliver()
        #expect(recorder.values == [.value(1), .value(2)])
    }

    @Test func aSubscriberMayOutliveItsSubject() {
        var subject: Subject<Int>? = Subject()
        let subscription = subject?.subscribe { [recorder] in recorder.record($0) }
        subject = nil
        subscription?.cancel()
        #expect(recorder.values.isEmpty)
    }

    // MARK: Slow subscribers

    @Test func aSlowSubscriberIsToldHowManyItMissedAndWhere() {
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery, backlog: 2) { [recorder] in recorder.record($0) }
        for number in 1...5 { subject.send(number) }
        held.deliver()
        subject.send(6)
        held.deliver()
        #expect(recorder.values == [.value(1), .value(2), .missed(3), .value(6)])
        subscription.cancel()
    }

    /// The events behind a gap wait until the subscriber knows of the gap.
    @Test func whatComesBehindAGapIsPartOfItUntilAllWasTaken() {
        let sent = Recorder<Int>()
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery, backlog: 2) { [recorder, subject] event in
            recorder.record(event)
            // One place is free, but what would take it comes after the third.
            guard event == .value(1) else { return }
            sent.record(4)
            subject.send(4)
        }
        for number in 1...3 { subject.send(number) }
        held.deliver()
        #expect(sent.values == [4])
        #expect(recorder.values == [.value(1), .value(2), .missed(2)])
        subscription.cancel()
    }

    @Test func aBusySubscriberIsCalledOnceForAllThatWaits() {
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery) { [recorder] in recorder.record($0) }
        for number in 1...10 { subject.send(number) }
        #expect(held.count == 1)
        held.deliver()
        #expect(recorder.values == (1...10).map { .value($0) })
        subject.send(11)
        #expect(held.count == 1)
        subscription.cancel()
    }

    // MARK: Where and when

    /// Sent from inside a delivery: behind what is being delivered, never inside it.
    @Test func eventsThatASubscriberSendsComeAfterTheOneItHas() {
        let subscription = subject.subscribe { [recorder, subject] event in
            recorder.record(.missed(0))
            if case .value(let number) = event, number < 3 { subject.send(number + 1) }
            recorder.record(event)
        }
        subject.send(1)
        #expect(
            recorder.values == [.missed(0), .value(1), .missed(0), .value(2), .missed(0), .value(3)]
        )
        subscription.cancel()
    }

    @Test func deliveryOnTheMainActorIsThere() async throws {
        let subscription = subject.subscribe(on: .main) { [recorder] event in
            // Anywhere else this ends the process.
            MainActor.assumeIsolated { recorder.record(event) }
        }
        await Task.detached { [subject] in subject.send(1) }.value
        try await recorder.wait { !$0.isEmpty }
        #expect(recorder.values == [.value(1)])
        subscription.cancel()
    }

    // MARK: As a sequence

    @Test func aSequenceGetsTheEventsThatItsLoopIsTooSlowFor() async {
        var events = subject.events(backlog: 2).makeAsyncIterator()
        for number in 1...5 { subject.send(number) }
        #expect(await events.next() == .value(1))
        #expect(await events.next() == .value(2))
        #expect(await events.next() == .missed(3))
        async let next = events.next()
        subject.send(6)
        #expect(await next == .value(6))
    }

    @Test func aSequenceEndsWithItsTask() async {
        let events = subject.events()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            var iterator = events.makeAsyncIterator()
            begin.finish()
            var count = 0
            while await iterator.next() != nil { count += 1 }
            return count
        }
        for await _ in begun {}
        reader.cancel()
        #expect(await reader.value == 0)
    }
}
