internal import NIOCore
public import RPCCore
internal import WireMessages

/// The pages of a search, as they arrive.
///
/// Iterating sends the search; each iteration is a search of its own. It is cancelled when the task is cancelled or
/// the iterator goes, which leaving a `for try await` loop does. A server that is lost on the way is replaced; no page
/// comes twice.
public struct SearchPages: AsyncSequence, Sendable {
    public typealias Element = SearchPage
    public typealias Failure = RPCError

    private let messages: any AsyncSequence<ByteBuffer, RPCError> & Sendable

    init(_ messages: any AsyncSequence<ByteBuffer, RPCError> & Sendable) {
        self.messages = messages
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator())
    }

    /// Reads one search's pages.
    public struct Iterator: AsyncIteratorProtocol {
        private var messages: any AsyncIteratorProtocol<ByteBuffer, RPCError>

        fileprivate init(messages: any AsyncIteratorProtocol<ByteBuffer, RPCError>) {
            self.messages = messages
        }

        /// The next page, or nil after the last.
        public mutating func next() async throws(RPCError) -> SearchPage? {
            try await next(isolation: #isolation)
        }

        /// The next page, or nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> SearchPage? {
            guard let message = try await messages.next(isolation: actor) else { return nil }
            return SearchPage(try SearchCharactersResponse(response: message))
        }
    }
}
