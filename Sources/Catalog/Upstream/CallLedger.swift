/// Where the calls of the last day outlive the process.
package protocol CallLedger: Sendable {
    /// Returns at once; entries are written in the order in which they came.
    func note(_ entries: [CallLedgerEntry])
}

/// What has to be remembered of calls to a gateway.
package enum CallLedgerEntry: Sendable, Hashable {
    /// So many more calls, or fewer, began in that minute since 1970.
    case calls(minute: Int64, change: Int)
    /// Whether the gateway takes none for now.
    case block(CallBudget.Block?)
}
