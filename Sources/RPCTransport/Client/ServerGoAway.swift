internal import NIOCore
internal import RPCCore
internal import WireMessages

/// What a server says when it takes no more calls on a connection.
struct ServerGoAway: Sendable {
    /// Longer than this no server can keep its clients away.
    private static let longestWait = Duration.seconds(60)

    /// The last stream that it will finish.
    var lastStreamID = UInt32.max
    /// When it expects to be back.
    var retryAfter = Duration.zero
    /// Who answers meanwhile; what is no address is passed over.
    var alternatives: [ServerAddress] = []

    /// One that cannot be read is still one: no new calls, nothing known of the open ones.
    init(_ data: ByteBuffer) {
        guard let message = try? GoAwayMessage(decoding: data, limit: .response) else { return }
        lastStreamID = message.lastStreamID
        retryAfter = min(max(message.retryAfter ?? .zero, .zero), ServerGoAway.longestWait)
        alternatives = message.alternatives.compactMap { ServerAddress($0) }
    }
}
