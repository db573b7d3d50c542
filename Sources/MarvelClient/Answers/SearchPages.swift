internal import NIOCore
public import RPCCore
internal import WireMessages

/// The pages of a search, as they arrive.
///
/// Each iteration sends a search. Cancelling the task or leaving the loop cancels it. A search that is interrupted
/// between two pages resumes after the last page received, at any server that responds. No page comes twice, and no
/// page is missing.
public struct SearchPages: AsyncSequence, Sendable {
    public typealias Element = SearchPage
    public typealias Failure = RPCError

    let request: SearchCharactersRequest
    let timeout: Duration?
    let client: MarvelClient

    /// Makes an iterator. The search starts with the first read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(search: self, request: request)
    }

    /// A reader of one search's pages.
    public struct Iterator: AsyncIteratorProtocol {
        private let search: SearchPages
        private var request: SearchCharactersRequest
        private let clock = ContinuousClock()
        private var deadline: ContinuousClock.Instant?
        private var messages: (any AsyncIteratorProtocol<ByteBuffer, RPCError>)?
        /// Whether a page has come since the search was last sent. The search can resume after it.
        private var canResume = false
        private var hasPage = false
        private var isComplete = false

        fileprivate init(search: SearchPages, request: SearchCharactersRequest) {
            (self.search, self.request) = (search, request)
        }

        /// Returns the next page, or nil after the last.
        public mutating func next() async throws(RPCError) -> SearchPage? {
            try await next(isolation: #isolation)
        }

        /// Returns the next page, or nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> SearchPage? {
            if isComplete, messages == nil { return nil }
            while true {
                var messages = self.messages ?? begin()
                do throws(RPCError) {
                    let message = try await messages.next(isolation: actor)
                    self.messages = messages
                    guard let message else { return try end() }
                    let page = try SearchCharactersResponse(response: message)
                    received(page)
                    return SearchPage(page)
                } catch {
                    self.messages = nil
                    // All requested pages were received; only the end of the stream was lost.
                    if isComplete { return nil }
                    guard search.client.retries, canResume, SearchPages.isBroken(error) else { throw error }
                    canResume = false
                }
            }
        }

        /// A search without results still has one page, and the last page names no further one.
        private func end() throws(RPCError) -> SearchPage? {
            guard hasPage else { throw .responseInvalid("the server ended the search without a page") }
            guard isComplete else {
                let text = "the server ended the search before its last page"
                throw RPCError(.unavailable, reason: .responseInvalid, text)
            }
            return nil
        }

        private mutating func begin() -> any AsyncIteratorProtocol<ByteBuffer, RPCError> {
            let remaining = deadline.map { Swift.max($0 - clock.now, .nanoseconds(1)) } ?? search.timeout
            deadline = deadline ?? search.timeout.map { clock.now + $0 }
            return search.client.channel.serverStream(
                MarvelServiceMethods.searchCharacters.path,
                request.encoded(),
                timeout: remaining,
                metadata: MarvelClient.callMetadata,
                isRepeatable: true,
                waitsForServer: true
            ).makeAsyncIterator()
        }

        private mutating func received(_ page: SearchCharactersResponse) {
            search.client.answers.received()
            hasPage = true
            // With a broken server, a page token that does not change would make the client loop forever.
            canResume = page.nextPageToken != request.pageToken
            request.pageToken = page.nextPageToken
            request.skip = 0
            isComplete = page.nextPageToken.isEmpty || request.maxPages == 1
            if request.maxPages > 1 { request.maxPages -= 1 }
        }
    }

    /// Whether the stream was lost and not refused: the server is down, or waited too long for the reader.
    private static func isBroken(_ error: RPCError) -> Bool {
        error.code == .unavailable || error.reason == .creditTimeout
    }
}
