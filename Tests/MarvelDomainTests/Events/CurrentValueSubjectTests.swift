import MarvelDomain
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CurrentValueSubjectTests {
    private let subject = CurrentValueSubject(1)
    private let recorder = Recorder<Int>()

    /// A value's end may do anything, even ask the subject: no lock may be held then.
    @Test func aValueIsLetGoOfWithoutALock() {
        final class Value: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let subject = CurrentValueSubject<Value?>(nil)
        let values = subject.values.makeAsyncIterator()
        for number in 0..<3 {
            subject.send(Value { [recorder] in recorder.record(subject.value == nil ? number : -1) })
        }
        subject.send(nil)
        #expect(recorder.values == [-1, -1, 2])
        withExtendedLifetime(values) {}
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
