extension ServerConnectionStateMachine {
    /// What a frame asks for.
    package enum OnFrame: Sendable, Hashable {
        /// Decode the request, look its method up, and report with `streamAccepted`, `callEnded` or `callFaulted`.
        ///
        /// `wantsStream` is false when the caller expects one Response whatever the method (flags 0).
        case startCall(StreamID, wantsStream: Bool)
        /// Stop the call and send nothing more on its stream; `callEnded` when its handler has stopped.
        case stopCall(StreamID)
        /// Stop the call and answer it with the refusal's status; `callEnded` when its handler has stopped.
        case failCall(StreamID, Refusal)
        /// A call that waited for credit may go on.
        case resumeCall(StreamID)
        /// Answer on this stream with the refusal's status; the connection and its calls go on.
        case refuse(StreamID, Refusal)
        /// Decode the Hello and report with `helloReceived`.
        case readHello
        /// Send the data back in a Pong; `pongSent` when it has left.
        case sendPong
        /// The frame has had its effect.
        case done
        /// Nothing to do, but to count it: a frame this side does not know or need, or one that lost a race.
        case ignore
        /// The peer is at fault for good.
        case endConnection(Farewell)
    }

    /// How a connection ends because of its peer: stop every call, send GoAway if it is wanted, flush, close.
    package struct Farewell: Sendable, Hashable {
        package let error: ConnectionError
        /// The last stream that was looked at, for the GoAway; nil if the peer does not know that frame.
        package let goAwayAfter: StreamID?

        package init(error: ConnectionError, goAwayAfter: StreamID?) {
            self.error = error
            self.goAwayAfter = goAwayAfter
        }
    }

    package enum OnHello: Sendable, Hashable {
        /// The peer speaks the extensions: send our own Hello.
        case sendHello
        case ignore
    }

    package enum OnMessage: Sendable, Hashable {
        /// Make the next message and send it: its credit is spent.
        case send
        /// Make nothing: `resumeCall` comes when there is credit.
        case waitForCredit
        /// Make nothing, and answer the call with the refusal's status.
        case failCall(Refusal)
        /// The call is over.
        case ignore
    }

    package enum OnCallEnded: Sendable, Hashable {
        case continueConnection
        /// The last call of a draining connection is answered.
        case closeConnection
        /// The peer has been at fault too often.
        case endConnection(Farewell)
    }

    package enum OnCheck: Sendable, Hashable {
        case continueConnection
        /// Answer these calls with the refusal's status.
        case failCalls([StreamID], Refusal)
        case endConnection(Farewell)
    }

    package enum OnDrain: Sendable, Hashable {
        /// Tell the peer, if it speaks the extensions, and wait for the open calls. A plain peer cannot be told: wait
        /// until it is quiet.
        case finishCalls(lastStreamID: StreamID, sendGoAway: Bool)
        /// The peer speaks the extensions, and nothing is open. Tell it and close.
        case closeConnection(lastStreamID: StreamID, sendGoAway: Bool)
        case ignore
    }
}
