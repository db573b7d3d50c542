/// A message of a server to the place where several servers share a budget of calls: all that the server holds of the
/// budget, and what it wants more.
///
/// It may be sent again if its outcome is unknown: the counts are totals, and replace those that the server sent before.
package struct CallExchange: Sendable, Hashable {
    /// The calls that a server has made or may still make from an hour's reservations.
    package struct Claim: Sendable, Hashable {
        /// The number of the hour since 1970.
        package var hour: Int64
        package var count: Int

        package init(hour: Int64, count: Int) {
            self.hour = hour
            self.count = count
        }
    }

    /// A pause of all calls, with its time left, because the clocks of two machines differ.
    package struct Pause: Sendable, Hashable {
        /// The time until the next call. It is negative if the pause is over, but no call was answered since.
        package var timeLeft: Duration
        package var isProbed: Bool

        package init(timeLeft: Duration, isProbed: Bool) {
            self.timeLeft = timeLeft
            self.isProbed = isProbed
        }
    }

    /// What a server has learned about the pause of all calls since its last exchange.
    package enum PauseChange: Sendable, Hashable {
        case none
        case began(Pause)
        case ended
    }

    /// The server. Each process has another number.
    package var replica: Int64
    /// The maximum number of calls of all servers in any 24 hours.
    package var callsPerDay: Int
    /// The number of calls to reserve; 0 for none.
    package var wanted: Int
    /// All claims of the server, of which there is one for each hour.
    package var claims: [Claim]
    package var pauseChange: PauseChange
    /// The calls that the server made in the last day, before it shared its budget. They count if the place knows no calls
    /// yet.
    package var earlierCalls: Int
    /// The time at which the message was made.
    var sentAt: Moment
    /// The pause that the server knows.
    var block: CallBudget.Block?

    package struct Reply: Sendable, Hashable {
        /// The hour in which the calls were reserved.
        package var hour: Int64
        /// The number of calls that were reserved.
        package var granted: Int
        /// The time for which calls that are reserved now may be made.
        package var usableTime: Duration
        /// The oldest hour whose calls count.
        package var oldestHour: Int64
        /// The calls of all servers that count, reserved ones included.
        package var used: Int
        /// The number of calls that one server may reserve at once; 0 if none are left.
        package var share: Int
        /// The time until calls of the oldest hour no longer count.
        package var refillTime: Duration
        /// The pause that is in force; nil if there is none.
        package var pause: Pause?
        /// The number of changes of the pause so far.
        package var pauseRevision: Int64

        package init(
            hour: Int64,
            granted: Int,
            usableTime: Duration,
            oldestHour: Int64,
            used: Int,
            share: Int,
            refillTime: Duration,
            pause: Pause?,
            pauseRevision: Int64
        ) {
            self.hour = hour
            self.granted = granted
            self.usableTime = usableTime
            self.oldestHour = oldestHour
            self.used = used
            self.share = share
            self.refillTime = refillTime
            self.pause = pause
            self.pauseRevision = pauseRevision
        }
    }
}

/// The place where several servers share the budget of calls to a gateway.
package protocol SharedCallLedger: Sendable {
    /// Replaces the claims of a server, and reserves calls for it.
    ///
    /// - Returns: The reply; nil if the place cannot be reached. The ledger itself reports the reason to the operator.
    func exchange(_ exchange: CallExchange) async -> CallExchange.Reply?
}
