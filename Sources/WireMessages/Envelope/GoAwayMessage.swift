/// The message `marvel.rpc.v1.GoAway`: the sender takes no new calls on this connection.
package struct GoAwayMessage: Sendable, Hashable {
    /// The last stream id whose call will finish.
    package var lastStreamID: UInt32
    /// The reason, in UPPER_SNAKE_CASE, for logs.
    package var reason: String
    /// The minimum time before a reconnect; nil means that there is none.
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
