internal import NIOCore
public import RPCCore
internal import WireMessages

/// The pages of a search, as they arrive.
///
/// Iterating sends the search; each iteration is a search of its own. It is cancelled when the task is cancelled or
/// the iterator goes, which leaving a `for try await` loop does. A search that breaks off between two pages goes on
/// behind the last one, at whichever server answers then: no page comes twice, and none is left out.
public struct SearchPages: AsyncSequence, Sendable {
    public typealias Element = SearchPage
    public typealias Failure = RPCError

    private let request: SearchCharactersRequest
    private let timeout: Duration?
    private let channel: any RPCChannel
    private let resumes: Bool

    /// - Parameters:
    ///   - request: The search from its first page on.
    ///   - timeout: How long the whole of it may take; nil is no limit.
    ///   - channel: Where to send it.
    ///   - resumes: Whether to go on where it broke off.
    init(_ request: SearchCharactersRequest, timeout: Duration?, on channel: any RPCChannel, resumes: Bool) {
        self.request = request
        self.timeout = timeout
        self.channel = channel
        self.resumes = resumes
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(request: request, timeout: timeout, channel: channel, resumes: resumes)
    }

    /// Reads one search's pages.
    public struct Iterator: AsyncIteratorProtocol {
        /// What is still wanted.
        private var request: SearchCharactersRequest
        private let timeout: Duration?
        private let channel: any RPCChannel
        private let resumes: Bool
        private let clock = ContinuousClock()
        private var deadline: ContinuousClock.Instant?
        private var messages: (any AsyncIteratorProtocol<ByteBuffer, RPCError>)?
        /// A page has come since the search was sent last: it may go on behind that.
        private var canResume = false
        private var isComplete = false

        fileprivate init(request: SearchCharactersRequest, timeout: Duration?, channel: any RPCChannel, resumes: Bool) {
            self.request = request
            self.timeout = timeout
            self.channel = channel
            self.resumes = resumes
        }

        /// The next page, or nil after the last.
        public mutating func next() async throws(RPCError) -> SearchPage? {
            try await next(isolation: #isolation)
        }

        /// The next page, or nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> SearchPage? {
            if isComplete, messages == nil { return nil }
            while true {
                var messages = self.messages ?? begin()
                do throws(RPCError) {
                    let message = try await messages.next(isolation: actor)
                    self.messages = messages
                    guard let message else { return nil }
                    let page = try SearchCharactersResponse(response: message)
                    received(page)
                    return SearchPage(page)
                } catch {
                    self.messages = nil
                    // Every page that was asked for is here; only the end of the stream was lost.
                    if isComplete { return nil }
                    guard resumes, canResume, SearchPages.isBroken(error) else { throw error }
                    canResume = false
                }
            }
        }

        private mutating func begin() -> any AsyncIteratorProtocol<ByteBuffer, RPCError> {
            let remaining = deadline.map { Swift.max($0 - clock.now, .nanoseconds(1)) } ?? timeout
            deadline = deadline ?? timeout.map { clock.now + $0 }
            return channel.serverStream(
                MarvelServiceMethods.searchCharacters.path,
                request.encoded(),
                timeout: remaining,
                metadata: Metadata(),
                isRepeatable: true,
                waitsForServer: true
            ).makeAsyncIterator()
        }

        private mutating func received(_ page: SearchCharactersResponse) {
            // A page that leads nowhere new would let a broken server send us round in circles.
            canResume = page.nextPageToken != request.pageToken
            request.pageToken = page.nextPageToken
            request.skip = 0
            isComplete = page.nextPageToken.isEmpty || request.maxPages == 1
            if request.maxPages > 1 { request.maxPages -= 1 }
        }
    }

    /// Whether the stream was lost, and not refused: a server that is gone, or one that waited too long for a reader.
    private static func isBroken(_ error: RPCError) -> Bool {
        error.code == .unavailable || error.reason == "CREDIT_TIMEOUT"
    }
}
