package import RPCCore

extension ServerConnectionStateMachine {
    package enum OnFrame: Sendable, Hashable {
        /// Decode the request, look its method up, and report with `callEnded` or `callFaulted`.
        ///
        /// `wantsStream` is false when the caller expects one Response whatever the method (flags 0).
        case startCall(StreamID, wantsStream: Bool)
        /// Stop the call and send nothing more on its stream; `callEnded` when its handler has stopped.
        case stopCall(StreamID)
        /// Stop the call and answer it with the refusal's status; `callEnded` when its handler has stopped.
        case failCall(StreamID, Refusal)
        /// The call may send so many more messages, if it is a stream that credit limits.
        case grantCredit(StreamID, UInt32)
        /// Answer on this stream with the refusal's status; the connection and its calls continue.
        case refuse(StreamID, Refusal)
        /// Decode the Hello and report with `helloReceived`.
        case readHello
        /// Send the data back in a Pong; report with `pongSent` when it was sent.
        case sendPong
        /// Do nothing: the frame has had its effect.
        case done
        /// Do nothing but count the frame: its type is unknown or not needed, or it lost a race.
        case ignore
        case endConnection(ConnectionTermination)
    }

    /// The end of a connection because of its peer: stop every call, perhaps send GoAway, flush, close.
    package struct ConnectionTermination: Sendable, Hashable {
        package let error: ConnectionError
        /// The last stream that was processed, for the GoAway; nil if the peer does not know that frame.
        package let goAwayAfter: StreamID?

        package init(error: ConnectionError, goAwayAfter: StreamID?) {
            self.error = error
            self.goAwayAfter = goAwayAfter
        }
    }

    package enum OnHello: Sendable, Hashable {
        case sendHello
        case ignore
    }

    package enum OnCallEnded: Sendable, Hashable {
        case continueConnection
        /// Close the connection: the last call of a draining connection is answered.
        case closeConnection
        case endConnection(ConnectionTermination)
    }

    package enum OnCheck: Sendable, Hashable {
        case continueConnection
        case endConnection(ConnectionTermination)
    }

    package enum OnDrain: Sendable, Hashable {
        /// Send a GoAway if the peer supports the extensions, and wait for the open calls. A plain peer knows no
        /// GoAway: wait until it is quiet.
        case finishCalls(lastStreamID: StreamID, sendGoAway: Bool)
        /// Send a GoAway and close: the peer supports the extensions, and no call is open.
        case closeConnection(lastStreamID: StreamID, sendGoAway: Bool)
        case ignore
    }
}
