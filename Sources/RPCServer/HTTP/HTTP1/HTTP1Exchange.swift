internal import HTTPFraming
internal import NIOCore
internal import NIOHTTP1
internal import RPCCore

final class HTTP1Exchange: HTTPCall {
    enum Request {
        case open(CallBody)
        /// The call has begun, or was refused. What still arrives is discarded.
        case taken
    }

    let id: StreamID
    /// Whether the client knows neither the answer 100 nor chunks.
    let isHTTP10: Bool
    var keepsAlive: Bool
    var request: Request = .taken
    var requested: RequestedCall?
    var answer: CallAnswer?
    /// The time by which the request has to be complete.
    let deadline: NIODeadline
    var isInputEnded = false
    var hasSentHead = false
    var isAnswered = false
    /// Whether the call's next message waits until the peer takes it.
    var isWaiting = false
    /// Whether only the headers of the answer are wanted.
    let isHead: Bool
    /// The page that is not sent yet; nil if there is none.
    var page: PendingPage?

    /// Whether the rest of the request is read before an answer that refuses it: it is short, and will come.
    let readsRest: Bool
    /// The answer that is written when the rest of the request has arrived.
    var refusal: CallAnswer.End?

    init(_ id: StreamID, _ head: HTTPRequestHead, deadline: NIODeadline) {
        self.id = id
        isHTTP10 = head.isHTTP10
        isHead = head.method == .HEAD
        keepsAlive = head.permitsAnother
        readsRest = head.hasShortBody
        self.deadline = deadline
    }

    /// Makes the exchange of a request that cannot be read.
    init(malformed id: StreamID, now: NIODeadline) {
        self.id = id
        (isHTTP10, isHead, keepsAlive, readsRest) = (false, false, false, false)
        deadline = now
    }

    var isIncomplete: Bool { !isInputEnded && !isAnswered }

    /// The bytes of the request that are kept while it is not complete.
    var heldByteCount: Int {
        guard case .open(let body) = request else { return 0 }
        return body.byteCount
    }

    /// The bytes of the answer that waits for its time, or for the rest of the request.
    var waitingByteCount: Int {
        if case .delayed(let answer, _) = page { return answer.answer.body.readableBytes }
        if case .whole(_, let body) = refusal { return body.readableBytes }
        return 0
    }
}

enum PendingPage {
    case making(Task<Void, Never>, deadline: NIODeadline)
    case delayed(PageAnswer, until: NIODeadline)

    var deadline: NIODeadline {
        switch self {
        case .making(_, let deadline), .delayed(_, let deadline): deadline
        }
    }

    func cancel() {
        if case .making(let task, _) = self { task.cancel() }
    }
}
