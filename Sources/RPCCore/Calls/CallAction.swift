package import NIOCore

/// An action for the connection to perform on one call. The wire performs the first five, because only it encodes
/// answers; the others are the same on every wire.
package enum CallAction {
    /// Send the only answer of a call. The call is over.
    case respond(StreamID, any OutgoingMessage)
    /// Send a message of a stream. After the last one the call is over.
    case send(StreamMessage)
    /// End a stream that has no more messages. The call is over.
    case endStream(StreamID)
    /// Answer with an error: the method refused the request and began no work. The call is over.
    case reject(StreamID, RPCError)
    /// Answer with an error, and send nothing more.
    case fail(StreamID, RPCError, because: ServerEvent?)

    /// Run this work of a call, and report with `workFinished`, even after it was stopped.
    case startWork(CallWork, of: RunningCall)
    case stopWork(of: RunningCall)
    /// Listen to this log. Report `messagesAppended` when listening begins, and at each wake-up.
    case listen(any MessageLog)
    case stopListening(any MessageLog)
    /// Call `timePassed` at this time. It is the earliest time requested since the last such call.
    case checkTime(NIODeadline)
}

/// A message of a stream. Write it immediately: its source may reuse the object for the next one.
package struct StreamMessage {
    package let id: StreamID
    package let message: any OutgoingMessage
    package let isFirst: Bool
    package let isLast: Bool

    package init(id: StreamID, message: any OutgoingMessage, isFirst: Bool, isLast: Bool) {
        self.id = id
        self.message = message
        self.isFirst = isFirst
        self.isLast = isLast
    }
}

package enum CallWork: Sendable {
    case task(@Sendable () async throws(RPCError) -> Step)
    case pending(any PendingStep)
}
