/// A subscription read in a loop. It begins with the loop, and what waits for it is as bounded as for any other.
package struct EventSequence<Value: Sendable, Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    let backlog: Inbox<Value>.Backlog
    /// What the loop gets for an event, if anything.
    let element: @Sendable (Received<Value>) -> Element?
    let subscribe: @Sendable (Inbox<Value>) -> Subscription

    package func makeAsyncIterator() -> AsyncIterator {
        // The bell rings once, however often it is pulled: what there is to take is in the inbox.
        let (bell, rope) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let inbox = Inbox<Value>(backlog) { _ in rope.yield() }
        return AsyncIterator(
            inbox: inbox,
            element: element,
            subscription: subscribe(inbox),
            bell: bell.makeAsyncIterator()
        )
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let inbox: Inbox<Value>
        let element: @Sendable (Received<Value>) -> Element?
        /// Ends with the loop.
        let subscription: Subscription
        var bell: AsyncStream<Void>.AsyncIterator

        /// Nil once the task is cancelled.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled {
                if let event = inbox.take() {
                    if let element = element(event) { return element }
                } else {
                    guard await bell.next(isolation: actor) != nil else { return nil }
                }
            }
            return nil
        }
    }
}
