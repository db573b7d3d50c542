internal import MarvelClient
package import NIOCore
package import RPCCore
internal import Synchronization
package import WireMessages

/// A channel without a server: a test says what is answered.
package final class FakeChannel: RPCChannel {
    package enum Answer: Sendable {
        case bytes(ByteBuffer)
        case failure(RPCError)
        /// Nothing, until the caller cancels.
        case silence

        package static func message(_ message: any WireMessage) -> Answer { .bytes(message.encoded()) }
    }

    /// A call that was made.
    package struct Call: Sendable {
        package var method: MethodPath
        package var request: ByteBuffer
        package var timeout: Duration?
        /// Of the calls before it and this one.
        package var number: Int
        /// Nil for a unary call.
        package var waitsForServer: Bool?
    }

    private let answers: @Sendable (Call) -> [Answer]
    private let log = Mutex<[Call]>([])
    private let shutdowns = Atomic(0)

    /// - Parameter answers: What is answered to a call, in order: to a unary one the first of it, and to a stream all, and
    ///   then its end.
    package init(answers: @escaping @Sendable (Call) -> [Answer]) { self.answers = answers }

    package var calls: [Call] { log.withLock { $0 } }
    package var isShutDown: Bool { shutdowns.load(ordering: .relaxed) > 0 }

    package func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer {
        var messages = messages(method, request, timeout, waitsForServer: nil).makeAsyncIterator()
        guard let message = try await messages.next() else { throw RPCError(.unimplemented, "no such method") }
        return message
    }

    package func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> Messages { messages(method, request, timeout, waitsForServer: waitsForServer) }

    private func messages(
        _ method: MethodPath,
        _ request: ByteBuffer,
        _ timeout: Duration?,
        waitsForServer: Bool?
    ) -> Messages {
        let call = log.withLock { calls in
            let number = calls.count + 1
            calls.append(
                Call(method: method, request: request, timeout: timeout, number: number, waitsForServer: waitsForServer)
            )
            return calls[number - 1]
        }
        return Messages(answers: answers(call))
    }

    package func connectNow() {}

    package func shutdown() async { shutdowns.add(1, ordering: .relaxed) }

    package struct Messages: AsyncSequence, Sendable {
        package typealias Failure = RPCError

        let answers: [Answer]

        package func makeAsyncIterator() -> Iterator { Iterator(answers: answers[...]) }

        package struct Iterator: AsyncIteratorProtocol {
            var answers: ArraySlice<Answer>

            package mutating func next() async throws(RPCError) -> ByteBuffer? { try await next(isolation: #isolation) }

            package mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(RPCError) -> ByteBuffer? {
                switch answers.popFirst() {
                case .bytes(let bytes): return bytes
                case .failure(let error): throw error
                case .silence:
                    // A test's process would otherwise wait forever for a call that nobody cancels.
                    try? await Task.sleep(for: .seconds(3_600))
                    throw RPCError(.cancelled, "the caller cancelled the call")
                case nil: return nil
                }
            }
        }
    }
}
