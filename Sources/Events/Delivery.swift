/// Where a subscriber is called.
///
/// What it is given may run at once or later, on any thread and beside other work: a subscription sees to it by itself
/// that its subscriber gets one event at a time, in order. An event loop is one by `Delivery { loop.execute($0) }`.
package struct Delivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// In the turn of whoever sends.
    package static let inline = Delivery { $0() }
    /// On the main actor.
    package static let main = Delivery { work in Task { @MainActor in work() } }
    /// In a task of its own.
    package static let task = Delivery { work in Task { work() } }
}
