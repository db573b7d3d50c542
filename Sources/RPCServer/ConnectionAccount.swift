internal import NIOCore
internal import RPCCore

/// The account of a connection's caller, as the connection uses it: it counts calls and bytes, and reads no faster than the
/// account permits.
///
/// It gives the account back when nobody holds it any more.
final class ConnectionAccount {
    private let accounts: CallerAccounts
    private let caller: CallerAccounts.Caller
    private let account: CallerAccount

    init(of caller: CallerAccounts.Caller, in accounts: CallerAccounts) {
        self.accounts = accounts
        self.caller = caller
        account = accounts.open(caller, now: .now())
    }

    deinit { accounts.close(caller, account) }

    var id: CallerID { account.id }

    /// Counts a call, if it is permitted.
    ///
    /// - Returns: The time after which one is permitted; nil if this one is.
    func takeCall(now: NIODeadline) -> Duration? { account.takeCall(now: now) }

    /// Counts bytes that were read.
    ///
    /// - Returns: The time after which to read again; nil if that is now.
    func takeBytes(_ count: Int, now: NIODeadline) -> TimeAmount? { account.takeBytes(count, now: now) }
}

extension RPCError {
    static func rateLimit(retryAfter delay: Duration) -> RPCError {
        RPCError(
            .resourceExhausted,
            reason: .rateLimit,
            "this caller exceeds its rate limit: slow down",
            details: [.retryInfo(delay)]
        )
    }
}
