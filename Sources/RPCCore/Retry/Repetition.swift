package import NIOCore

/// What it means to send a call a second time.
package enum Repetition: Sendable {
    /// The failure is what the caller asked for: whether a server answers, or how often it does not.
    case never
    /// It could be carried out twice: only a call that no server can have seen is sent again.
    case ifUnseen
    /// A read, or a change that the server knows again by its `request_id`.
    case safe
    /// As `safe`; and a stream that broke off can go on behind its last message.
    ///
    /// The closure is given the last message that arrived and how many arrived, over all attempts. It runs on the
    /// connection's event loop, once for each time that the stream breaks off.
    case resumable(@Sendable (_ last: ByteBuffer, _ count: Int) -> Resumption)

    /// Whether a call that may have been carried out may be sent again.
    package var isSafe: Bool {
        switch self {
        case .never, .ifUnseen: false
        case .safe, .resumable: true
        }
    }

    package var isNever: Bool {
        if case .never = self { return true }
        return false
    }
}

/// How a stream goes on that broke off between two messages.
package enum Resumption: Sendable, Hashable {
    /// With this request, whose answer begins behind the last message.
    case request(ByteBuffer)
    /// Not at all: the last message was the stream's last.
    case complete
    /// It cannot.
    case impossible
}
