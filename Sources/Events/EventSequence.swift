/// A subscription as an asynchronous sequence. It begins with the loop that reads it, and its backlog is bounded as for
/// any other subscription.
package struct EventSequence<Value: Sendable, Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    let backlog: Inbox<Value>.Backlog
    /// Maps an event to an element; nil skips the event.
    let element: @Sendable (SubjectEvent<Value>) -> Element?
    let subscribe: @Sendable (Inbox<Value>) -> Subscription

    package func makeAsyncIterator() -> AsyncIterator {
        // One buffered wake-up is enough: the events are in the inbox.
        let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = Inbox<Value>(backlog) { _ in wakeUp.yield() }
        return AsyncIterator(
            inbox: inbox,
            element: element,
            subscription: subscribe(inbox),
            wakeUps: wakeUps.makeAsyncIterator()
        )
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let inbox: Inbox<Value>
        let element: @Sendable (SubjectEvent<Value>) -> Element?
        /// The subscription, which ends with the loop.
        let subscription: Subscription
        var wakeUps: AsyncStream<Void>.AsyncIterator

        /// Returns the next element, or nil once the task is cancelled.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled {
                if let event = inbox.take() {
                    if let element = element(event) { return element }
                } else {
                    guard await wakeUps.next(isolation: actor) != nil else { return nil }
                }
            }
            return nil
        }
    }
}
