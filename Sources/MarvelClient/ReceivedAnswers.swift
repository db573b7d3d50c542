internal import MarvelDomain

/// The answers that a client has received. A watch that waits before retrying a lost server retries when another call
/// succeeds.
final class ReceivedAnswers: Sendable {
    private let subject = CurrentValueSubject(0)

    var count: Int { subject.value }

    func received() {
        subject.update { $0 += 1 }
    }

    /// Waits until there are more answers than `count`; false if the task was cancelled instead.
    func exceed(_ count: Int) async -> Bool {
        for await number in subject.values where number > count { return true }
        return false
    }
}
