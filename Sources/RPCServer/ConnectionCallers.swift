private import Glibc
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
    /// The quota of the last call. Bytes that are read count for it.
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

    /// The identifier of the caller of the last call, for which the connection holds what it holds; at first the one that the
    /// connection's address is known as.
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
        of request: borrowing CallRequest,
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

/// The callers of one connection: its peer, and the owners of the tokens that its calls bring. A token of a call is used in
/// place of that of Hello, and a wrong token never falls back to the peer.
///
/// The last token of a call is remembered, so that it is looked up once.
struct ConnectionAccess {
    /// The metadata that holds the credentials of a call.
    static let key = "authorization"

    /// A caller, or the reason why the credentials name none.
    private struct Verdict {
        var result: Result<Principal, AccessFailure>
        var stamp: AccessStamp
    }

    private let control: AccessControl
    private let channel: any Channel
    private let counters: EventCounters
    /// The credentials in Hello.
    private var helloCredentials: String?
    /// The verdict on calls without credentials.
    private var own = Verdict(result: .failure(.tokenMissing), stamp: .none)
    /// The verdict on the credentials of the last call that had some.
    private var last: (credentials: String, verdict: Verdict)?

    init(_ control: AccessControl, _ channel: any Channel, counters: EventCounters) {
        self.control = control
        self.counters = counters
        self.channel = channel
    }

    /// Takes the credentials in Hello, which are those of all calls that bring none.
    mutating func helloReceived(credentials: String) {
        helloCredentials = credentials.isEmpty ? nil : credentials
        own.stamp = .none
    }

    /// Returns the caller of a call.
    ///
    /// - Parameters:
    ///   - metadata: The metadata of the call.
    ///   - now: The time.
    /// - Returns: The caller.
    /// - Throws: The reason why it has none.
    mutating func principal(_ metadata: Metadata, now: NIODeadline) throws(AccessFailure) -> Principal {
        // The hot path.
        if metadata.isEmpty, case .success(let principal) = own.result, own.stamp.isValid(control.generation, now: now)
        {
            return principal
        }
        let credentials = metadata.values(ofAnyCase: Self.key)
        guard let value = credentials.first else { return try ownVerdict(now: now).result.get() }
        // Which of two is meant is for nobody to guess.
        guard credentials.count == 1 else { throw .tokenInvalid }
        return try verdict(on: value, now: now).result.get()
    }

    /// Returns the reason for which a caller has lost its access; nil if it has not.
    func failure(of principal: Principal) -> AccessFailure? {
        do throws(AccessFailure) {
            try control.table.check(principal, at: control.wallClock())
            return nil
        } catch {
            return error
        }
    }

    // MARK: Verdicts

    /// The time in seconds after which every proof that expires is looked at again.
    private static let longestStamp: Int64 = 86_400

    private mutating func ownVerdict(now: NIODeadline) -> Verdict {
        let generation = control.generation
        guard !own.stamp.isValid(generation, now: now) else { return own }
        own = newVerdict(on: helloCredentials.map { [$0] } ?? [], generation, now: now)
        return own
    }

    private mutating func verdict(on credentials: String, now: NIODeadline) -> Verdict {
        let generation = control.generation
        if let last, last.credentials == credentials, last.verdict.stamp.isValid(generation, now: now) {
            return last.verdict
        }
        let verdict = newVerdict(on: [credentials], generation, now: now)
        last = (credentials, verdict)
        return verdict
    }

    private func newVerdict(on credentials: [String], _ generation: UInt64, now: NIODeadline) -> Verdict {
        do throws(AccessFailure) {
            let time = control.wallClock()
            let peer = ConnectionPeer(channel)
            let principal = try control.authenticate(credentials, from: peer, at: time)
            counters.count(event(of: principal, peer))
            return Verdict(result: .success(principal), stamp: stamp(of: principal, generation, time: time, now: now))
        } catch {
            return Verdict(
                result: .failure(error),
                // The wall clock may be wrong for a while.
                stamp: error == .tokenExpired ? .none : AccessStamp(generation: generation, end: .max)
            )
        }
    }

    private func event(of principal: Principal, _ peer: ConnectionPeer) -> CallerEvent {
        switch principal.proof {
        case .local: .local
        case .none: .anonymous
        case .token: .token
        case .name: peer.certificateName == nil ? .peer : .certificate
        }
    }

    /// - Parameters:
    ///   - principal: The caller.
    ///   - generation: The generation of the tokens.
    ///   - time: The time in seconds since 1970.
    ///   - now: The same time on the monotonic clock.
    /// - Returns: The stamp that ends in the second before the caller's proof expires. In that second each call is decided
    ///   again, because the clocks tick at different times.
    private func stamp(
        of principal: Principal,
        _ generation: UInt64,
        time: Int64,
        now: NIODeadline
    ) -> AccessStamp {
        guard let expiry = principal.expiry else { return AccessStamp(generation: generation, end: .max) }
        let left = UInt64(min(max(0, expiry - time - 1), Self.longestStamp)) * 1_000_000_000
        return AccessStamp(generation: generation, end: now.uptimeNanoseconds + left)
    }
}

/// The validity of something that was found out about a caller.
private struct AccessStamp {
    /// The generation of the tokens.
    let generation: UInt64
    /// The end, in the time of `NIODeadline`.
    let end: UInt64

    /// A stamp that is never valid.
    static let none = AccessStamp(generation: 0, end: 0)

    func isValid(_ generation: UInt64, now: NIODeadline) -> Bool {
        self.generation == generation && now.uptimeNanoseconds < end
    }
}

extension AccessRules.Peer {
    /// The credentials of a process as the system gives them: its id, its user and its group.
    private typealias SystemCredentials = InlineArray<3, UInt32>

    /// Finds out who is on the other side of a channel. Runs on its event loop.
    init(_ channel: any Channel) {
        if channel.localAddress?.pathname != nil {
            self = .unix(user: Self.user(of: channel))
        } else if PeerAddress(channel.remoteAddress) == .loopback {
            self = .loopback
        } else {
            self = .remote
        }
    }

    /// Asks the system for the user of the other side of a unix socket, as it was when it connected. Nil if the system does
    /// not tell.
    private static func user(of channel: any Channel) -> UInt32? {
        guard let provider = channel as? any SocketOptionProvider else { return nil }
        let credentials: EventLoopFuture<SystemCredentials> = provider.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        var user: UInt32?
        // On the channel's own event loop it is there at once.
        credentials.assumeIsolated().whenSuccess { user = $0[1] }
        return user
    }
}

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

/// A handler next to the socket that reads no faster than a quota permits. Unread bytes wait in the kernel, and then at
/// the peer.
final class PacedReads: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The quota that reads count for; nil if there is no limit.
    var account: ConnectionAccount?
    /// Whether reads wait if the quota is used up.
    var waits = true
    private let counters: EventCounters
    private var context: ChannelHandlerContext?
    /// The end of the pause in reading; nil outside of one.
    private var pauseEnd: LoopTimer?
    private var isReadWanted = false
    /// The length of a pause that the connection does not know yet.
    private var begunPause: TimeAmount?

    init(counters: EventCounters) { self.counters = counters }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        pauseEnd?.cancel()
        pauseEnd = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let byteCount = unwrapInboundIn(data).readableBytes
        if let wait = account?.takeBytes(byteCount, now: context.eventLoop.now), waits { pause(for: wait) }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        guard let time = begunPause.take() else { return }
        context.fireUserInboundEventTriggered(ConnectionEvent.readingPaused(time))
    }

    /// Reads nothing for a while. A pause that has begun is not made longer.
    func pause(for time: TimeAmount) {
        guard pauseEnd == nil, let eventLoop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        pauseEnd = LoopTimer(at: eventLoop.now + time, on: eventLoop, counters: counters) { handler.value.pauseEnded() }
        begunPause = time
    }

    private func pauseEnded() {
        pauseEnd = nil
        guard isReadWanted else { return }
        isReadWanted = false
        context?.read()
    }

    func read(context: ChannelHandlerContext) {
        if pauseEnd == nil { context.read() } else { isReadWanted = true }
    }
}
