import MarvelDomain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SubjectTests {
    private let subject = Subject<Int>()
    private let recorder = Recorder<SubjectEvent<Int>>()

    @Test func aSubscriberGetsEventsWhileItIsSubscribed() {
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

    @Test func aSubscriptionThatEndsReleasesItsSubscriber() {
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

    @Test func aSubscriberMayOutliveItsSubject() {
        var subject: Subject<Int>? = Subject()
        let subscription = subject?.subscribe { [recorder] in recorder.record($0) }
        subject = nil
        subscription?.cancel()
        #expect(recorder.values.isEmpty)
    }

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
}
