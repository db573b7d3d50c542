internal import NIOCore
internal import RPCCore

/// The caller of one request, whose call has counted for its quota.
package struct RequestCaller {
    let principal: Principal
    /// The caller in queues and budgets that connections share.
    let id: CallerID
}

/// The reason for which a call does not begin, and its caller, if that is known.
struct CallRefusal: Error {
    let error: RPCError
    let principal: Principal?
}

/// The callers of one connection: who makes each call, and the quota that it counts for.
///
/// A caller with a name has one quota for all its connections, and callers without one have that of their address. It is an
/// object, because a value of so many parts would be copied with each call.
final class ConnectionCallers {
    private let channel: any Channel
    private let counters: EventCounters
    private var access: ConnectionAccess
    private let accounts: CallerAccounts
    /// The quota of callers without a name; nil if they have none.
    private let unnamed: ConnectionAccount?
    /// The identifier of callers that have no quota.
    private let unlimitedID = CallerID.next()
    /// The quota of the last caller with a name.
    private var named: (name: String, account: ConnectionAccount)?
    /// The quota of the last call. What is read counts for it.
    private var account: ConnectionAccount?
    /// The handler that slows reads down; nil if nothing has yet.
    private var reads: PacedReads?

    init(of server: ServerContext, on channel: any Channel, counters: EventCounters) {
        self.channel = channel
        self.counters = counters
        access = ConnectionAccess(server.access, channel, counters: counters)
        accounts = server.accounts
        unnamed = server.caller(channel.remoteAddress).map { ConnectionAccount(of: $0, in: server.accounts) }
        use(unnamed)
    }

    /// The identifier of the caller of the last call, for which the connection holds what it holds.
    var id: CallerID { account?.id ?? unlimitedID }

    /// Takes the credentials in Hello, which are those of all calls that bring none.
    func helloReceived(credentials: String) { access.helloReceived(credentials: credentials) }

    // MARK: Calls

    /// Finds out the caller of a request, and counts the request for its quota. It comes first, whatever is wrong with the
    /// request, and once for each.
    ///
    /// A request with a wrong token counts for the address. It changes nothing for the other callers of the connection, who
    /// may share it through a proxy.
    ///
    /// - Throws: UNAUTHENTICATED, or RESOURCE_EXHAUSTED if the caller is over its rate.
    func authenticate(_ metadata: Metadata, now: NIODeadline) throws(CallRefusal) -> RequestCaller {
        let principal: Principal
        do throws(AccessFailure) {
            principal = try access.principal(metadata, now: now)
        } catch {
            try count(for: unnamed, of: nil, now: now)
            throw CallRefusal(error: refusal(error), principal: nil)
        }
        use(account(of: principal))
        try count(for: account, of: principal, now: now)
        return RequestCaller(principal: principal, id: id)
    }

    /// Checks that a caller may call a method.
    ///
    /// - Throws: UNAUTHENTICATED, or PERMISSION_DENIED.
    func check(_ caller: RequestCaller, mayCall method: RPCMethod) throws(CallRefusal) {
        do throws(AccessFailure) {
            try caller.principal.check(method.permissions)
        } catch {
            throw CallRefusal(error: refusal(error), principal: caller.principal)
        }
    }

    /// Finds out the caller of a request again that took time to arrive: the tokens may be others now. It counts for no quota.
    ///
    /// - Throws: UNAUTHENTICATED, or PERMISSION_DENIED.
    func authenticateAgain(
        _ caller: RequestCaller,
        of request: CallRequest,
        now: NIODeadline
    ) throws(CallRefusal) -> RequestCaller {
        do throws(AccessFailure) {
            let principal = try access.principal(request.metadata, now: now)
            try principal.check(request.method.permissions)
            return RequestCaller(principal: principal, id: caller.id)
        } catch {
            throw CallRefusal(error: refusal(error), principal: caller.principal)
        }
    }

    /// Counts a request whose head is not read, for the caller of Hello or of the certificate, or for the address.
    func countUnread(now: NIODeadline) {
        let principal = try? access.principal(Metadata(), now: now)
        let caller = if let principal { account(of: principal) } else { unnamed }
        _ = caller?.takeCall(now: now)
    }

    private func count(
        for account: ConnectionAccount?,
        of principal: Principal?,
        now: NIODeadline
    ) throws(CallRefusal) {
        guard let wait = account?.takeCall(now: now) else { return }
        counters.count(.rateLimit)
        throw CallRefusal(error: .rateLimit(retryAfter: wait), principal: principal)
    }

    private func refusal(_ failure: AccessFailure) -> RPCError {
        if case .scopeMissing = failure {
            counters.count(.permissionDenied)
        } else {
            counters.count(.unauthenticated)
        }
        return RPCError(failure)
    }

    /// Returns the error of a caller who has lost its access; nil if it has not.
    func failure(of principal: Principal) -> RPCError? { access.failure(of: principal).map { RPCError($0) } }

    // MARK: Quotas

    private func account(of principal: Principal) -> ConnectionAccount? {
        guard !principal.name.isEmpty else { return unnamed }
        if let named, named.name == principal.name { return named.account }
        let account = ConnectionAccount(of: .named(principal.name), in: accounts)
        named = (principal.name, account)
        return account
    }

    private func use(_ account: ConnectionAccount?) {
        guard self.account !== account else { return }
        self.account = account
        let reads = pacedReads()
        reads.account = account
        // Strangers must not slow down the callers with a name on the same connection to the pace of one address.
        reads.waits = account !== unnamed || named == nil
    }

    /// Returns the handler that slows reads down. It is added when it is needed first: few connections have a quota.
    private func pacedReads() -> PacedReads {
        if let reads { return reads }
        let reads = PacedReads(counters: counters)
        // It fails only if the channel is closed.
        try? channel.pipeline.syncOperations.addHandler(reads, position: .first)
        self.reads = reads
        return reads
    }
}
