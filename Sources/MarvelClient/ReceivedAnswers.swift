internal import MarvelDomain
internal import Synchronization

/// The answers that a client has received. A watch that waits until it tries a lost server again tries at once when
/// another call succeeds.
final class ReceivedAnswers: Sendable {
    private let counter = Atomic(0)
    private let subject = CurrentValueSubject(0)

    /// The number of answers so far.
    var count: Int { counter.load(ordering: .relaxed) }

    /// Notes an answer.
    func received() {
        subject.send(counter.add(1, ordering: .relaxed).newValue)
    }

    /// Waits until there are more answers than `count`.
    ///
    /// - Returns: False if the task was cancelled instead.
    func exceed(_ count: Int) async -> Bool {
        for await number in subject.values where number > count { return true }
        return false
    }
}
