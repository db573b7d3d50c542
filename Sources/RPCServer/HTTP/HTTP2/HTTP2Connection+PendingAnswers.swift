internal import HTTPFraming
internal import NIOCore
internal import RPCCore

/// Answers that are known before the ends of their requests.
///
/// RFC 9113, section 8.1, permits an answer at once and a reset behind it, which says that the rest is not wanted. But curl 7.88
/// takes the reset for a failure if it still has to send its body, and without the reset it may not see that the answer is
/// complete. Most clients send the body right behind the head, so the answer waits a short time for it.
extension HTTP2Connection {
    func answerAtEnd(of stream: HTTP2Stream, _ answer: CallAnswer.End) {
        guard !stream.isInputClosed else { return write(answer, on: stream) }
        stream.request = .answerPending(answer)
        pendingAnswers.began(stream.id, now: now)
    }

    /// Sends the answers that have waited for long enough, or all of them, because the connection ends.
    func sendPendingAnswers(all: Bool = false) {
        while let id = all ? pendingAnswers.first : pendingAnswers.nextExpired(now: now) {
            pendingAnswers.ended(id)
            if let stream = streams.value(of: id) { sendPendingAnswer(of: stream) }
        }
    }

    /// Sends the answer of a stream now, if it waits for the end of the request.
    ///
    /// - Returns: Whether it has waited.
    @discardableResult
    func sendPendingAnswer(of stream: HTTP2Stream) -> Bool {
        guard case .answerPending(let answer) = stream.request else { return false }
        requestEnded(of: stream)
        write(answer, on: stream)
        return true
    }

    private func write(_ answer: CallAnswer.End, on stream: HTTP2Stream) {
        // Requests of some bytes may ask for files again and again: the peer has to take the first ones.
        if case .whole(_, let body) = answer, !stream.isHead, body.readableBytes > Self.smallAnswer, !takesFile {
            calls.countUnread(now: now)
            return reset(stream, .refusedStream)
        }
        writeEnd(answer, on: stream)
    }

    /// The maximum bytes of the body of an answer that is sent whatever the peer takes, as those of refusals are.
    private static let smallAnswer = 1_024

    /// The maximum bytes that wait for the peer when a file is added: more than all files of a page.
    private static let maximumWaitingBytes = 1 << 20

    private var takesFile: Bool {
        let buffered = (try? life.context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return frames.unsentByteCount + frames.unflushedByteCount + buffered < Self.maximumWaitingBytes
    }

    /// Tells the peer that nothing more is wanted of the requests that were answered before their end. The end of some has
    /// arrived with the same read; and answers that are not sent to their end come first.
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
