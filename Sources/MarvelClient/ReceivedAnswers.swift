internal import MarvelDomain
internal import Synchronization

/// The answers that a client has received. A watch that waits before retrying a lost server retries when another call
/// succeeds.
final class ReceivedAnswers: Sendable {
    private let counter = Atomic(0)
    private let subject = CurrentValueSubject(0)

    var count: Int { counter.load(ordering: .relaxed) }

    func received() {
        subject.send(counter.add(1, ordering: .relaxed).newValue)
    }

    /// Waits until there are more answers than `count`; false if the task was cancelled instead.
    func exceed(_ count: Int) async -> Bool {
        for await number in subject.values where number > count { return true }
        return false
    }
}
