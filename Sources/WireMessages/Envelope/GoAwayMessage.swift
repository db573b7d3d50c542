/// `marvel.rpc.v1.GoAway`: no new calls on this connection.
package struct GoAwayMessage: Sendable, Hashable {
    /// Calls up to this stream id finish.
    package var lastStreamID: UInt32
    /// Why, in UPPER_SNAKE_CASE, for logs.
    package var reason: String
    /// Come back no sooner than after this time; nil: whenever you like.
    package var retryAfter: Duration?
    /// Other addresses of the same service, best first.
    package var alternatives: [String]

    package init(lastStreamID: UInt32, reason: String, retryAfter: Duration? = nil, alternatives: [String] = []) {
        self.lastStreamID = lastStreamID
        self.reason = reason
        self.retryAfter = retryAfter
        self.alternatives = alternatives
    }
}
