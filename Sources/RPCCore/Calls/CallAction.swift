package import NIOCore

/// A thing that a `CallRunner` wants done for one of its calls. The wire does the first five, since only it knows how
/// answers are encoded; the others are the same on every wire.
package enum CallAction {
    /// Send the only answer of a call. The call is over.
    case respond(StreamID, any OutgoingMessage)
    /// Send a message of a stream. After the last one the call is over.
    case send(StreamMessage)
    /// End a stream that has no more messages. The call is over.
    case endStream(StreamID)
    /// Answer with an error: the method refused the request and began no work. The call is over.
    case reject(StreamID, RPCError)
    /// Answer with an error. Send nothing more on the call; it is over if no work of it still runs.
    case fail(StreamID, RPCError, because: CallInterruption?, isOver: Bool)

    /// Run this work, and report with `workFinished`, also when it was stopped.
    case startWork(CallWork)
    /// Cancel the call's work.
    case stopWork(StreamID)
    /// Listen to this log, and report `messagesAppended` once it is listened to and whenever the waker is called.
    case listen(any MessageLog)
    /// End the registration with this log.
    case stopListening(any MessageLog)
    /// Call `timePassed` at this time. It is earlier than every time asked for since the last such call.
    case checkTime(NIODeadline)
    /// Forget the call, which was cancelled or answered before: its work has stopped.
    case over(StreamID)
}

/// A message of a stream, to be written now: its source may use the same object for the next one.
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

/// The work of a call: an answer that is not in memory.
package struct CallWork: Sendable {
    package enum Kind: Sendable {
        /// Run this in a task.
        case task(@Sendable () async throws(RPCError) -> Step)
        /// Begin this, which calls back.
        case pending(PendingStep)
    }

    package let id: StreamID
    /// The time after which nobody waits for the result; nil if there is none.
    package let deadline: NIODeadline?
    /// The size of the request, which the work may hold, in bytes.
    package let requestByteCount: Int
    /// The caller, for the queues and budgets that it shares.
    package let caller: CallerID
    /// The caller's position in its trace; nil if it has none.
    package let trace: TraceParent?
    package let kind: Kind
}
