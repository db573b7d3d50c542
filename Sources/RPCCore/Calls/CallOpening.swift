/// The action for a new call of a client, on a connection of any wire.
package enum CallOpening: Sendable, Hashable {
    /// Send the request on this stream.
    case send(StreamID)
    /// The server's limit of open calls is reached: ask again when one has ended.
    case wait
    /// This connection takes no new calls: use another.
    case refuse
}
