import NIOCore
import NIOEmbedded
import RPCCore
import Synchronization

/// A call runner, and the log of its actions in short texts: `send 1 a first`, `fail 1 DRAINING`.
///
/// Its peer takes `room` messages; more are not asked for.
final class RunnerStage {
    var runner = CallRunner(creditTimeout: .seconds(10))
    /// The seconds since the connection began.
    var time: Int64 = 0
    var room = Int.max
    private let loop = EmbeddedEventLoop()
    private var log: [String] = []
    private var working: [StreamID: RunningCall] = [:]
    /// The functions that end the registrations with logs.
    private var listening: [ObjectIdentifier: @Sendable () -> Void] = [:]

    var now: NIODeadline { .uptimeNanoseconds(0) + .seconds(time) }
    // The runner itself cannot be copied into an expectation.
    var isEmpty: Bool { runner.isEmpty }
    var runningCount: Int { runner.runningCount }
    var nextCheck: NIODeadline? { runner.nextCheck }
    var waitingByteCount: Int { runner.waitingByteCount }

    /// Begins a call of a method that gives this step.
    func begin(
        _ id: StreamID,
        _ step: Step,
        kind: RPCMethod.Kind = .serverStreaming,
        isWatch: Bool = false,
        wantsStream: Bool = true,
        credit: CallCredit = .unlimited,
        deadline: Int64? = nil,
        hasMoreRequests: Bool = false
    ) {
        let method = RPCMethod(name: "Test", kind: kind, isWatch: isWatch) { _ throws(RPCError) in step }
        begin(
            id,
            method,
            wantsStream: wantsStream,
            credit: credit,
            deadline: deadline,
            hasMoreRequests: hasMoreRequests
        )
    }

    func begin(
        _ id: StreamID,
        _ method: RPCMethod,
        wantsStream: Bool = true,
        credit: CallCredit = .unlimited,
        deadline: Int64? = nil,
        hasMoreRequests: Bool = false
    ) {
        let call = IncomingCall(
            payload: ByteBuffer(string: "request"),
            deadline: deadline.map { .uptimeNanoseconds(0) + .seconds($0) }
        )
        let answer = runner.begin(
            id,
            method,
            call,
            wantsStream: wantsStream,
            credit: credit,
            hasMoreRequests: hasMoreRequests,
            now: now
        )
        if let answer { perform(.respond(id, answer)) } else { perform() }
    }

    /// Carries out what there is to do, and returns its log. Like every wire, it asks for messages while there is room.
    func actions() -> [String] {
        perform()
        while runner.hasReadyCalls, room > 0 {
            if let message = runner.sendNext(now: now) { perform(.send(message)) }
            perform()
        }
        defer { log = [] }
        return log
    }

    private func perform() {
        while let action = runner.nextAction() { perform(action) }
    }

    private func perform(_ action: CallAction) {
        switch action {
        case .respond(let id, let message):
            log.append("respond \(id.rawValue) \(message.text)")
            room -= 1
        case .send(let sent):
            let marks = (sent.isFirst ? " first" : "") + (sent.isLast ? " last" : "")
            log.append("send \(sent.id.rawValue) \(sent.message.text)" + marks)
            room -= 1
        case .endStream(let id): log.append("end \(id.rawValue)")
        case .reject(let id, let error): log.append("reject \(id.rawValue) \(error.reason?.rawValue ?? "")")
        case .fail(let id, let error, _): log.append("fail \(id.rawValue) \(error.reason?.rawValue ?? "")")
        case .startWork(_, let call):
            working[call.id] = call
            log.append("work \(call.id.rawValue)")
        case .stopWork(let call): log.append("stop work \(call.id.rawValue)")
        case .listen(let log):
            self.log.append("listen")
            listening[ObjectIdentifier(log)] = log.listen(Waker(on: loop) {})
            _ = runner.messagesAppended(to: log)
        case .stopListening(let log):
            self.log.append("stop listening")
            listening.removeValue(forKey: ObjectIdentifier(log))?()
        case .checkTime(let time): log.append("check at \(time.seconds)")
        }
    }

    /// Lets time pass.
    func pass(to time: Int64) -> [String] {
        self.time = time
        runner.timePassed(now: now)
        return actions()
    }

    func finishWork(_ id: StreamID, _ result: Result<Step, RPCError>) -> [String] {
        if let call = working.removeValue(forKey: id) { runner.workFinished(call, result) }
        return actions()
    }

    /// Appends a message to a log, and wakes its readers.
    func append(_ text: String, to log: TestLog) -> [String] {
        log.append(text)
        _ = runner.messagesAppended(to: log)
        return actions()
    }
}

extension NIODeadline {
    fileprivate var seconds: Int64 { Int64(uptimeNanoseconds / 1_000_000_000) }
}

extension OutgoingMessage {
    var text: String {
        var buffer = ByteBuffer()
        buffer.write(byteCount: byteCount) { write(to: &$0) }
        return String(buffer: buffer)
    }
}

extension Step {
    static func text(_ text: String, then rest: (any MessageSource)? = nil) -> Step {
        .encoded(ByteBuffer(string: text), then: rest)
    }

    /// Work that only the stage ends.
    static let work = Step.later { () throws(RPCError) in .end }
}

/// Some messages, one after the other, and then an end of its own or none.
final class Messages: MessageSource {
    private let texts: ArraySlice<String>
    private let end: Step?

    /// - Parameters:
    ///   - texts: The messages.
    ///   - end: The step after the last one; nil if the last one ends the stream.
    init(_ texts: ArraySlice<String>, end: Step? = nil) {
        self.texts = texts
        self.end = end
    }

    convenience init(_ texts: String..., end: Step? = nil) { self.init(texts[...], end: end) }

    func next() throws(RPCError) -> Step {
        guard let first = texts.first else { return end ?? .end }
        let rest = texts.dropFirst()
        return .text(first, then: rest.isEmpty && end == nil ? nil : Messages(rest, end: end))
    }

    var place: [String: String] { ["left": "\(texts.count)"] }
}

/// A log of texts. It keeps some of the last ones.
final class TestLog: MessageLog {
    private struct State {
        var messages: [EncodedMessage] = []
        var listeners = 0
        var questions = 0
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    init(_ texts: String..., keeping maximumCount: Int = .max) {
        self.maximumCount = maximumCount
        for text in texts { append(text) }
    }

    /// The number of the last message; 0 if there is none.
    var last: Int64 { state.withLock { Int64($0.messages.count) } }
    var listeners: Int { state.withLock(\.listeners) }
    /// The number of times that a message was asked for.
    var questions: Int { state.withLock(\.questions) }

    func append(_ text: String) {
        state.withLock { $0.messages.append(EncodedMessage(ByteBuffer(string: text))) }
    }

    func entry(after number: Int64) -> LogEntry {
        state.withLock { state in
            state.questions += 1
            guard number < state.messages.count else { return .nothing }
            guard Int(number) >= state.messages.count - maximumCount else { return .missed }
            return .message(state.messages[Int(number)], number: number + 1)
        }
    }

    func listen(_ waker: Waker) -> @Sendable () -> Void {
        state.withLock { $0.listeners += 1 }
        return { [self] in state.withLock { $0.listeners -= 1 } }
    }

    /// Reads the log from a position on. A reader that has waited too long, or missed messages, sends the log's last number,
    /// as `at3`, and reads on from there.
    func reading(after number: Int64 = 0, timeout: Duration? = nil) -> Step {
        .source(TestReader(self, number: number, timeout: timeout))
    }
}

private final class TestReader: MessageSource {
    private let log: TestLog
    private let number: Int64
    private let timeout: Duration?
    private let isLeaving: Bool

    init(_ log: TestLog, number: Int64, timeout: Duration?, isLeaving: Bool = false) {
        self.log = log
        self.number = number
        self.timeout = timeout
        self.isLeaving = isLeaving
    }

    var cursor: LogCursor? {
        guard !isLeaving else { return nil }
        return LogCursor(log, after: number, timeout: timeout) { [log, timeout] number in
            TestReader(log, number: number, timeout: timeout, isLeaving: true)
        }
    }

    func next() throws(RPCError) -> Step {
        let last = log.last
        return .text("at\(last)", then: TestReader(log, number: last, timeout: timeout))
    }

    var place: [String: String] { ["from": "\(number)"] }
}

/// Answers each request with its text.
final class Echo: Conversation {
    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage { EncodedMessage(payload) }
}
