package import NIOCore
internal import Synchronization

/// A limit for the bytes that all connections of a server hold together. Above it the connection that holds the most is
/// closed, and then the next. Connections that hold nothing are never affected.
///
/// A connection that holds nothing does not access it.
package final class SharedBudget: Sendable {
    private let limit: Atomic<Int>
    private let total = Atomic(0)
    private let shares = Mutex<[ObjectIdentifier: Share]>([:])

    /// - Parameter maximum: The maximum number of held bytes.
    init(maximum: Int) { limit = Atomic(maximum) }

    var byteCount: Int { total.load(ordering: .relaxed) }

    /// The maximum number of held bytes. A lower one takes effect when a connection holds more than before.
    var maximum: Int {
        get { limit.load(ordering: .relaxed) }
        set { limit.store(newValue, ordering: .relaxed) }
    }

    /// Whether more than half of the budget is held.
    package var isHalfUsed: Bool { byteCount > maximum / 2 }

    /// Makes a connection's share of the budget. The connection gives it back when it closes.
    package func makeShare(of channel: any Channel) -> Share {
        let share = Share(of: self, channel: channel)
        shares.withLock { $0[ObjectIdentifier(share)] = share }
        return share
    }

    private func changed(by difference: Int) {
        let total = total.wrappingAdd(difference, ordering: .relaxed).newValue
        if difference > 0, total > maximum { closeLargest() }
    }

    /// Closes as few connections as possible. Connections that are already closing and still hold bytes are not
    /// replaced by others.
    private func closeLargest() {
        let largest = shares.withLock { shares in
            var excess = shares.values.reduce(-maximum) { $0 + ($1.isClosing ? 0 : $1.byteCount) }
            var largest: [Share] = []
            for share in shares.values.sorted(by: { $0.byteCount > $1.byteCount }) where excess > 0 {
                guard share.beginClosing() else { continue }
                excess -= share.byteCount
                largest.append(share)
            }
            return largest
        }
        for share in largest { share.closeConnection() }
    }

    private func remove(_ share: Share) {
        let removed = shares.withLock { $0.removeValue(forKey: ObjectIdentifier(share)) }
        _ = removed
    }

    /// The bytes of one connection. It is changed on the connection's event loop only.
    package final class Share: Sendable {
        private let budget: SharedBudget
        private let channel: any Channel
        private let held = Atomic(0)
        private let closing = Atomic(false)

        fileprivate init(of budget: SharedBudget, channel: any Channel) {
            self.budget = budget
            self.channel = channel
        }

        var byteCount: Int { held.load(ordering: .relaxed) }

        fileprivate var isClosing: Bool { closing.load(ordering: .relaxed) }

        /// Sets the number of bytes that the connection holds.
        package func hold(_ byteCount: Int) {
            let old = held.exchange(byteCount, ordering: .relaxed)
            if old != byteCount { budget.changed(by: byteCount - old) }
        }

        /// Removes the share of a connection that is closed.
        package func giveBack() {
            hold(0)
            budget.remove(self)
        }

        /// Marks the share as closing.
        ///
        /// - Returns: Whether it was not closing before.
        fileprivate func beginClosing() -> Bool { !closing.exchange(true, ordering: .relaxed) }

        /// Closes the connection in a later task of its loop, because it may be inside a write or a read.
        fileprivate func closeConnection() {
            channel.eventLoop.execute { [channel] in
                channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.budgetExceeded)
            }
        }
    }
}
