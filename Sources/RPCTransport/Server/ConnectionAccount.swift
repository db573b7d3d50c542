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
    private var rejections = RateLimit(count: CallerLimits.rejections.count, window: CallerLimits.rejections.window)

    init(of caller: CallerAccounts.Caller, in accounts: CallerAccounts) {
        self.accounts = accounts
        self.caller = caller
        account = accounts.open(caller, now: .now())
    }

    deinit { accounts.close(caller, account) }

    var id: CallerID { account.id }

    /// Counts a call, if it is permitted.
    func permitsCall(now: NIODeadline) -> Bool { account.takeCall(now: now) == nil }

    /// Counts a call.
    ///
    /// - Throws: RESOURCE_EXHAUSTED if the caller is over its rate.
    func takeCall(now: NIODeadline) throws(RPCError) {
        if let wait = account.takeCall(now: now) { throw .rateLimit(retryAfter: wait) }
    }

    /// Counts a call that was refused because of a quota.
    ///
    /// - Returns: The error to end the connection with, if its client does not heed what it is told.
    func callRejected(now: NIODeadline) -> ConnectionError? {
        rejections.isExceeded(now: now) ? .tooMany(.rejections, limit: rejections.count) : nil
    }

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
            "this caller makes more calls than it may: wait, or spread them",
            details: [.retryInfo(delay)]
        )
    }
}

/// A handler next to the socket that reads no faster than the connection's account permits. What is not read waits in the
/// kernel, and then at the peer.
final class PacedReads: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The account that is counted for; nil if there is no limit.
    var account: ConnectionAccount?
    private let counters: EventCounters
    private var pause: LoopTimer?
    private var isReadWanted = false

    init(_ account: ConnectionAccount, counters: EventCounters) {
        self.account = account
        self.counters = counters
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        if pause == nil, let wait = account?.takeBytes(unwrapInboundIn(data).readableBytes, now: now) {
            let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            pause = LoopTimer(at: now + wait, on: context.eventLoop, counters: counters) {
                let (handler, context) = handler.value
                handler.pauseEnded(context)
            }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if pause == nil { context.read() } else { isReadWanted = true }
    }

    private func pauseEnded(_ context: ChannelHandlerContext) {
        pause = nil
        guard isReadWanted else { return }
        isReadWanted = false
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        pause?.cancel()
        pause = nil
    }
}
