internal import HTTP2Frames
internal import HTTPCalls
internal import NIOCore
internal import RPCCore
internal import RPCTransport

/// The answers that are known before the end of their requests.
///
/// RFC 9113, section 8.1, permits an answer at once and a reset behind it, which says that the rest is not wanted. But curl 7.88
/// takes the reset for a failure if it still has to send its body, and without the reset it may not see that the answer is
/// complete. So the end of the request is awaited for a short time, which for most clients is that of their next write.
extension HTTP2Connection {
    /// Answers a request that begins no call, when it ends or after a short time.
    func answer(_ stream: HTTP2Stream, _ answer: EarlyAnswer) {
        guard !stream.isInputClosed else { return write(answer, on: stream) }
        stream.request = .answerable(answer)
        answerable.began(stream.id, now: now)
    }

    /// Answers the requests whose ends were awaited for long enough.
    ///
    /// - Parameter isOver: Whether no end is awaited any more.
    func answerAnswerable(isOver: Bool = false) {
        while let id = isOver ? answerable.first : answerable.nextExpired(now: now) {
            guard let stream = streams.value(of: id), case .answerable(let answer) = stream.request else {
                answerable.ended(id)
                continue
            }
            requestEnded(of: stream)
            write(answer, on: stream)
        }
    }

    func write(_ answer: EarlyAnswer, on stream: HTTP2Stream) {
        switch answer {
        case .error(let error, let metadata):
            let system = stream.answer?.format.system ?? .grpc
            calls.refused(stream.method, system, error, now: now, metadata: metadata)
            writeStatus(error, on: stream)
        case .plain(let answer):
            writeWhole(answer.headers, answer.body, on: stream)
        }
    }

    /// Tells the peer that nothing more is wanted of the requests that were answered before their end. Answers that are not
    /// sent to their end come first.
    func resetAnsweredEarly() {
        guard !answeredEarly.isEmpty else { return }
        answeredEarly.removeAll { id in
            guard let stream = streams.value(of: id), !stream.isInputClosed else { return true }
            guard !frames.isSending(id) else { return false }
            reset(stream, .noError)
            return true
        }
    }
}

/// The answer of a request that begins no call.
enum EarlyAnswer {
    case error(RPCError, Metadata)
    case plain(PlainAnswer)
}
