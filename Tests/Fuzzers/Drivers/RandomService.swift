internal import MarvelDomain
internal import NIOCore
internal import RPCCore

/// A service that answers each call at once or later, with some messages or with an error, by chance.
///
/// It has no name, and its first method has none either: so a ttrpc request without a byte calls it.
///
/// `@unchecked Sendable`: a driver has one thread.
final class RandomService: @unchecked Sendable {
    /// The work of a call that has not ended.
    private struct Work {
        let step: RandomStep
        let arrived: @Sendable () -> Void
    }

    private var random: SplitMix64
    private let maximumMessageByteCount: Int
    private var running: [Work] = []

    init(seed: UInt64, maximumMessageByteCount: Int) {
        random = SplitMix64(seed: seed)
        self.maximumMessageByteCount = maximumMessageByteCount
    }

    var description: RPCService {
        let answering = RPCMethod(name: "", kind: .serverStreaming) { [self] _ throws(RPCError) in
            try step(of: RandomMessages(.random(in: 0...6, using: &random), self))
        }
        let conversing = RPCMethod(name: "c", kind: .bidirectional) { [self] _ in .conversation(self) }
        return RPCService(name: "", methods: [answering, conversing])
    }

    // MARK: Work

    /// The calls whose work has not ended, also those that were cancelled.
    var runningCount: Int { running.count }

    /// Ends the work of a call, if there is one.
    func work() {
        guard let place = running.indices.randomElement(using: &random) else { return }
        let work = running.remove(at: place)
        work.arrived()
    }

    func endWork() {
        for work in running {
            work.step.isLast = true
            work.arrived()
        }
        running = []
    }

    fileprivate func begin(_ step: RandomStep, _ arrived: @escaping @Sendable () -> Void) {
        running.append(Work(step: step, arrived: arrived))
    }

    // MARK: Steps

    fileprivate func step(of messages: RandomMessages) throws(RPCError) -> Step {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: throw RPCError(.notFound, reason: .methodUnknown, "by chance")
        case 1: return .source(messages)
        case 2..<6:
            return .pending(RandomStep(of: messages, by: self))
        default:
            guard messages.count > 0 else { return .end }
            messages.count -= 1
            return .message(message(), then: messages.count == 0 && random.oneIn(2) ? nil : messages)
        }
    }

    private func message() -> any OutgoingMessage {
        let maximum = random.oneIn(8) ? maximumMessageByteCount : min(maximumMessageByteCount, 600)
        return EncodedMessage(ByteBuffer(repeating: 1, count: .random(in: 0...maximum, using: &random)))
    }
}

extension RandomService: Conversation {
    func answer(to payload: ByteBuffer) throws(RPCError) -> any OutgoingMessage { message() }
}

/// The messages that a call still sends.
///
/// `@unchecked Sendable`: a driver has one thread.
private final class RandomMessages: MessageSource, @unchecked Sendable {
    var count: Int
    private let service: RandomService

    init(_ count: Int, _ service: RandomService) {
        self.count = count
        self.service = service
    }

    func next() throws(RPCError) -> Step { try service.step(of: self) }

    var place: [String: String] { [:] }
}

/// `@unchecked Sendable`: a driver has one thread.
private final class RandomStep: PendingStep, @unchecked Sendable {
    var isLast = false
    private let messages: RandomMessages
    private let service: RandomService

    init(of messages: RandomMessages, by service: RandomService) {
        (self.messages, self.service) = (messages, service)
    }

    func begin(_ arrived: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        service.begin(self, arrived)
        return {}
    }

    func step() throws(RPCError) -> Step { isLast ? .end : try service.step(of: messages) }
}
