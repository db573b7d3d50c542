/// A durable record of the calls of the last day.
package protocol CallLedger: Sendable {
    /// Writes entries in the order of the calls of this function. Returns at once.
    func note(_ entries: [CallLedgerEntry])
}

/// An entry of a call ledger.
package enum CallLedgerEntry: Sendable, Hashable {
    /// The change of the number of calls that began in a minute, which is counted since 1970.
    case calls(minute: Int64, change: Int)
    /// The pause of all calls that is in force; nil if there is none.
    case block(CallBudget.Block?)
}
