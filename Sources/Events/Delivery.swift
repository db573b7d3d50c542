/// An executor on which a subscriber is called.
///
/// The work may run at once or later, on any thread, and concurrently with other work. The subscription itself makes
/// sure that its subscriber gets one event at a time, in order. For an event loop, use
/// `Delivery { loop.execute($0) }`.
package struct Delivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// Delivery on the sender's thread, before `send` returns.
    package static let inline = Delivery { $0() }
    /// Delivery on the main actor.
    package static let main = Delivery { work in Task { @MainActor in work() } }
    /// Delivery in a new task.
    package static let task = Delivery { work in Task { work() } }
}
