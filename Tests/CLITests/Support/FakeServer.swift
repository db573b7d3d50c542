import MarvelClient
import NIOCore
import RPCCore
import Synchronization
import WireMessages

/// A channel that answers each method from a script and remembers what it was asked.
final class FakeServer: RPCChannel {
    enum Answer: Sendable {
        case message(any WireMessage)
        case failure(RPCError)
        /// Nothing comes, until the caller gives up.
        case silence
    }

    struct Call: Sendable {
        var method: String
        var request: ByteBuffer
        var timeout: Duration?
    }

    private let answers: [String: [Answer]]
    private let log = Mutex<[Call]>([])
    private let shutdowns = Atomic(0)

    /// - Parameter answers: For each method's short name, its messages in order; for searches in another way,
    ///   those of `SearchCharacters:wordPrefix` or `SearchCharacters:fuzzy`, and for watches of the whole list, those of
    ///   `WatchFavorites:0`, if there are any.
    init(_ answers: [String: [Answer]] = [:]) {
        self.answers = answers
    }

    var calls: [Call] { log.withLock { $0 } }
    func answers(to method: String) -> [Answer] { answers[method] ?? [] }

    var isShutDown: Bool { shutdowns.load(ordering: .relaxed) > 0 }

    /// The request of the first call to a method.
    func request<Request: WireMessage>(_: Request.Type, of method: String) throws -> Request? {
        let call = calls.first { $0.method == method }
        return try call.map { try Request(decoding: $0.request, limit: .request) }
    }

    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer {
        var messages = serverStream(
            method,
            request,
            timeout: timeout,
            metadata: metadata,
            isRepeatable: isRepeatable,
            waitsForServer: true
        ).makeAsyncIterator()
        guard let message = try await messages.next() else { throw RPCError(.unimplemented, "no such method") }
        return message
    }

    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages {
        log.withLock { $0.append(Call(method: method.method, request: request, timeout: timeout)) }
        let search = try? SearchCharactersRequest(decoding: request, limit: .request)
        let isSearch = method.method == "SearchCharacters"
        let match = isSearch ? search?.match.match : nil
        let byMatch = match.flatMap { answers["SearchCharacters:\($0)"] }
        let watch = try? WatchFavoritesRequest(decoding: request, limit: .request)
        let isWholeWatch = method.method == "WatchFavorites" && watch?.fromRevision == 0
        let special = byMatch ?? (isWholeWatch ? answers["WatchFavorites:0"] : nil)
        return Messages(answers: special ?? answers[method.method] ?? [])
    }

    func connectNow() {}

    func shutdown() async {
        shutdowns.add(1, ordering: .relaxed)
    }

    struct Messages: AsyncSequence, Sendable {
        typealias Failure = RPCError

        var answers: [Answer]

        func makeAsyncIterator() -> Iterator { Iterator(answers: answers[...]) }

        struct Iterator: AsyncIteratorProtocol {
            var answers: ArraySlice<Answer>

            mutating func next() async throws(RPCError) -> ByteBuffer? {
                try await next(isolation: #isolation)
            }

            mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> ByteBuffer? {
                switch answers.popFirst() {
                case .message(let message): return message.encoded()
                case .failure(let error): throw error
                case .silence:
                    // Sleeps longer than any test runs: it ends by being cancelled.
                    try? await Task.sleep(for: .seconds(3_600))
                    throw RPCError(.cancelled, "the caller cancelled the call")
                case nil: return nil
                }
            }
        }
    }
}
