internal import NIOCore
internal import RPCCore
internal import RPCTransport

/// A connection's shares of the server's budgets of bytes. A connection that holds nothing has none.
struct ByteShares {
    private var unsent: SharedBudget.Share?
    private var inbound: SharedBudget.Share?

    /// Reports what the connection holds.
    ///
    /// - Parameters:
    ///   - unsentByteCount: The bytes that wait for the peer.
    ///   - inboundByteCount: The bytes of requests that are not answered.
    ///   - caller: The caller that the connection holds it for.
    ///   - channel: The connection's channel, which is closed if the caller holds the most of a budget that is used up.
    ///   - server: The server.
    mutating func report(
        unsentByteCount: Int,
        inboundByteCount: Int,
        for caller: CallerID,
        of channel: any Channel,
        to server: ServerContext
    ) {
        Self.report(unsentByteCount, for: caller, of: channel, to: server.unsent, in: &unsent)
        Self.report(inboundByteCount, for: caller, of: channel, to: server.inbound, in: &inbound)
    }

    private static func report(
        _ byteCount: Int,
        for caller: CallerID,
        of channel: any Channel,
        to budget: SharedBudget,
        in share: inout SharedBudget.Share?
    ) {
        if share == nil {
            guard byteCount > 0 else { return }
            share = budget.makeShare(of: channel, for: caller)
        }
        share?.hold(byteCount, for: caller)
    }

    /// Gives the shares back, because the connection is closed.
    mutating func giveBack() {
        unsent?.giveBack()
        inbound?.giveBack()
        (unsent, inbound) = (nil, nil)
    }
}
