package import NIOCore
package import RPCCore
internal import Synchronization

/// A limit for the bytes that all connections of a server hold together. Above it the caller that holds the most loses the
/// connection that holds the most for it, until the rest is within the limit. A caller with many connections gains nothing
/// by that, and callers that hold less are not affected.
///
/// A connection that holds nothing does not access it.
package final class SharedBudget: Sendable {
    private let limit: Atomic<Int>
    private let total = Atomic(0)
    private let shares = Mutex<[ObjectIdentifier: Share]>([:])

    /// - Parameter maximum: The maximum number of held bytes.
    init(maximum: Int) { limit = Atomic(maximum) }

    package var byteCount: Int { total.load(ordering: .relaxed) }

    /// The maximum number of held bytes. A lower one takes effect when a connection holds more than before.
    var maximum: Int {
        get { limit.load(ordering: .relaxed) }
        set { limit.store(newValue, ordering: .relaxed) }
    }

    /// Makes a connection's share of the budget. The connection gives it back when it closes.
    package func makeShare(of channel: any Channel, for caller: CallerID) -> Share {
        let share = Share(of: self, channel: channel, caller: caller)
        shares.withLock { $0[ObjectIdentifier(share)] = share }
        return share
    }

    private func changed(by difference: Int) {
        let total = total.wrappingAdd(difference, ordering: .relaxed).newValue
        if difference > 0, total > maximum { closeLargest() }
    }

    /// Closes connections of the callers that hold the most. Connections that are already closing and still hold bytes are
    /// not replaced by others.
    private func closeLargest() {
        let largest = shares.withLock { shares in
            var callers: [CallerID: Holdings] = [:]
            var excess = -maximum
            for share in shares.values where !share.isClosing {
                let byteCount = share.byteCount
                excess += byteCount
                callers[share.caller, default: Holdings()].add(share, byteCount)
            }
            var largest: [Share] = []
            while excess > 0, let caller = callers.max(by: { $0.value.byteCount < $1.value.byteCount })?.key,
                let (share, byteCount) = callers[caller]?.removeLargest()
            {
                excess -= byteCount
                share.beginClosing()
                largest.append(share)
            }
            return largest
        }
        for share in largest { share.closeConnection() }
    }

    /// The shares of one caller.
    private struct Holdings {
        private(set) var byteCount = 0
        private var shares: [(share: Share, byteCount: Int)] = []

        mutating func add(_ share: Share, _ byteCount: Int) {
            self.byteCount += byteCount
            shares.append((share, byteCount))
        }

        /// Removes the largest share; nil if there is none.
        mutating func removeLargest() -> (share: Share, byteCount: Int)? {
            guard let index = shares.indices.max(by: { shares[$0].byteCount < shares[$1].byteCount }) else {
                return nil
            }
            let largest = shares.remove(at: index)
            byteCount -= largest.byteCount
            return largest
        }
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
        /// The caller that the bytes are held for.
        private let owner: Mutex<CallerID>

        fileprivate init(of budget: SharedBudget, channel: any Channel, caller: CallerID) {
            self.budget = budget
            self.channel = channel
            owner = Mutex(caller)
        }

        fileprivate var caller: CallerID { owner.withLock(\.self) }

        var byteCount: Int { held.load(ordering: .relaxed) }

        fileprivate var isClosing: Bool { closing.load(ordering: .relaxed) }

        /// Sets the number of bytes that the connection holds, and the caller for which it does.
        package func hold(_ byteCount: Int, for caller: CallerID) {
            owner.withLock { $0 = caller }
            let old = held.exchange(byteCount, ordering: .relaxed)
            if old != byteCount { budget.changed(by: byteCount - old) }
        }

        /// Removes the share of a connection that is closed.
        package func giveBack() {
            hold(0, for: caller)
            budget.remove(self)
        }

        /// Marks the share as closing.
        fileprivate func beginClosing() { closing.store(true, ordering: .relaxed) }

        /// Closes the connection in a later task of its loop, because it may be inside a write or a read.
        fileprivate func closeConnection() {
            channel.eventLoop.execute { [channel] in
                channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.budgetExceeded)
            }
        }
    }
}
