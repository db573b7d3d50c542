import MarvelDomain
import Testing

/// Many threads at once; deploy/test runs this under the thread sanitizer too.
@Suite(.timeLimit(.minutes(2)))
struct SubjectLoadTests {
    @Test func theLastValueIsNeverLost() async throws {
        let subject = CurrentValueSubject(0)
        let recorders = (0..<8).map { _ in Recorder<Int>() }
        for round in 1...200 {
            let subscriptions = recorders.map { recorder in
                subject.subscribe(on: { work in Task { work() } }) { recorder.record($0) }
            }
            await withTaskGroup { group in
                for sender in 0..<4 { group.addTask { subject.send(round * 10 + sender) } }
            }
            let last = subject.value
            for recorder in recorders { try await recorder.wait { $0.last == last } }
            withExtendedLifetime(subscriptions) {}
        }
    }
}
