import MarvelDomain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CurrentValueSubjectTests {
    private let subject = CurrentValueSubject(1)
    private let recorder = Recorder<Int>()

    @Test func aSubscriberGetsTheValueAndItsChanges() {
        subject.send(2)
        let subscription = subject.subscribe(on: { $0() }) { [recorder] in recorder.record($0) }
        #expect(recorder.values == [2])
        subject.send(3)
        #expect(subject.value == 3)
        subscription.cancel()
        subject.send(4)
        #expect(recorder.values == [2, 3])
    }

    @Test func aSlowSubscriberGetsTheLastValue() {
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery) { [recorder] in recorder.record($0) }
        for number in 2...100 { subject.send(number) }
        held.deliver()
        #expect(recorder.values == [100])
        subscription.cancel()
    }

    @Test func aValueThatChangesWhileItIsDeliveredIsDeliveredAgain() {
        let subscription = subject.subscribe(on: { $0() }) { [recorder, subject] number in
            recorder.record(number)
            if number < 4 { subject.send(number + 1) }
        }
        #expect(recorder.values == [1, 2, 3, 4])
        subscription.cancel()
    }

    @Test func queuedEventsAreDroppedWhenASubscriptionEnds() {
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery) { [recorder] in recorder.record($0) }
        subscription.cancel()
        held.deliver()
        #expect(recorder.values.isEmpty)
    }

    /// A value's end may do anything, even ask the subject: no lock may be held then.
    @Test func aValueIsLetGoOfWithoutALock() {
        final class Value: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let subject = CurrentValueSubject<Value?>(nil)
        let held = HeldDelivery()
        let subscription = subject.subscribe(on: held.delivery) { _ in }
        for number in 0..<3 {
            subject.send(Value { [recorder] in recorder.record(subject.value == nil ? number : -1) })
        }
        subject.send(nil)
        held.deliver()
        #expect(recorder.values == [-1, -1, 2])
        subscription.cancel()
    }

    @Test func aSequenceGetsTheValueAndTheLastOne() async {
        var values = subject.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        for number in 2...100 { subject.send(number) }
        #expect(await values.next() == 100)
    }

    @Test func aSequenceEndsWithItsTask() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { [subject] in
            var count = 0
            for await _ in subject.values {
                begin.finish()
                count += 1
            }
            return count
        }
        for await _ in begun {}
        reader.cancel()
        #expect(await reader.value == 1)
    }
}
