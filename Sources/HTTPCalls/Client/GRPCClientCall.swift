internal import NIOCore
internal import NIOHPACK
internal import RPCCore

/// The answer of one open call, as far as it has arrived.
struct GRPCClientCall {
    typealias OnFrame = GRPCClientStateMachine.OnFrame

    private let kind: Method.Kind
    private let maximumByteCount: Int
    private let countsHeldBytes: Bool
    private var reader: EnvelopeReader
    private var window: InboundWindow
    /// Whether the headers before the first message have arrived.
    private var hasHead = false
    /// The message of a unary call.
    private var answer: ByteBuffer?

    init(_ kind: Method.Kind, _ limits: GRPCClientLimits) {
        self.kind = kind
        self.maximumByteCount = limits.maximumMessageByteCount
        self.countsHeldBytes = limits.hasCredit && kind == .serverStreaming
        self.reader = EnvelopeReader(maximumByteCount: maximumByteCount, acceptsCompressed: false)
        // The answer of a unary call waits for nobody, whatever the window of a stream.
        let target = kind == .unary ? max(limits.streamWindow, GRPCClientLimits.unaryWindow) : limits.streamWindow
        self.window = InboundWindow(limits.streamWindow, target: target)
    }

    // MARK: Frames

    mutating func headersReceived(_ headers: HPACKHeaders, isEnd: Bool) -> OnFrame {
        if !hasHead {
            // Informational headers come before the others (RFC 9110, section 15.2).
            if !isEnd, headers.first(name: ":status")?.hasPrefix("1") == true { return .ignore }
            hasHead = true
            let status = isEnd ? GRPCResponseStatus.read(headers) : nil
            if status == nil, let error = GRPCResponseStatus.error(ofHead: headers) {
                return .fail(error, isRunning: !isEnd)
            }
        }
        return isEnd ? ended(GRPCResponseStatus.read(headers)) : .ignore
    }

    mutating func dataReceived(_ bytes: ByteBuffer, paddingByteCount: Int) {
        window.received(bytes.readableBytes + paddingByteCount)
        reader.append(bytes)
    }

    /// Handles the end of the server's frames, which has the status.
    func ended(_ status: Result<Void, RPCError>?) -> OnFrame {
        switch status {
        case nil:
            return .fail(RPCError(.unknown, reason: .responseInvalid, "the answer has no status"), isRunning: false)
        case .failure(let error):
            return .fail(error, isRunning: false)
        case .success:
            guard reader.isBetweenMessages else {
                return .fail(.responseInvalid("the server's last message is not complete"), isRunning: false)
            }
            guard kind == .unary else { return .end }
            guard let answer else {
                return .fail(.responseInvalid("the server ended the call without an answer"), isRunning: false)
            }
            return .answer(answer)
        }
    }

    /// Returns the action for the next message that has arrived; `ignore` if there is none.
    mutating func nextMessage() -> OnFrame {
        do throws(RPCError) {
            while let message = try reader.next()?.bytes {
                guard kind == .unary else {
                    if countsHeldBytes { window.hold(EnvelopeReader.prefixByteCount + message.readableBytes) }
                    return .deliver(message)
                }
                guard answer == nil else {
                    return .fail(.responseInvalid("the server streamed the answer of a unary call"), isRunning: true)
                }
                answer = message
            }
            return .ignore
        } catch {
            return .fail(unreadable(error), isRunning: true)
        }
    }

    private func unreadable(_ error: RPCError) -> RPCError {
        guard error.reason == .messageTooLarge else { return .responseInvalid(error.message) }
        return RPCError(
            .resourceExhausted,
            reason: .messageTooLarge,
            "the server's message has more than \(maximumByteCount) bytes",
            metadata: ["maximum": "\(maximumByteCount)"]
        )
    }

    // MARK: The window

    mutating func release(_ credit: Int) {
        if countsHeldBytes { window.release(credit) }
    }

    /// Returns the bytes to widen the stream's window by; 0 for none.
    mutating func widening() -> Int { answer == nil ? window.widening(missing: missingByteCount) : 0 }

    /// The bytes that the message, or its prefix, lacks of which a part has arrived.
    private var missingByteCount: Int {
        reader.missingByteCount > 0 ? reader.missingByteCount : reader.missingPrefixByteCount
    }
}

/// The limits of a client's connection.
package struct GRPCClientLimits: Sendable {
    /// The window of a call with one answer.
    static let unaryWindow = 64 * 1024 - 1
    /// The largest window that HTTP/2 knows.
    package static let maximumWindow = Int(Int32.max)

    /// The window of a new stream, in bytes: the bytes that may wait for its reader.
    package var streamWindow: Int
    /// The maximum size of a message, in bytes.
    package var maximumMessageByteCount: Int
    /// Whether calls over the server's limit of open calls wait.
    package var heedsStreamLimit: Bool

    /// Whether what waits for a reader counts. If not, everything is read at once.
    var hasCredit: Bool { streamWindow < Self.maximumWindow }

    package init(streamWindow: Int, maximumMessageByteCount: Int, heedsStreamLimit: Bool = true) {
        self.streamWindow = streamWindow
        self.maximumMessageByteCount = maximumMessageByteCount
        self.heedsStreamLimit = heedsStreamLimit
    }
}
