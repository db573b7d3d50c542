import MarvelDomain
import Synchronization
import Upstream

/// Answers by what the whole request is, and remembers what was asked.
final class FakeFetcher: HTTPFetcher {
    private let answer: @Sendable (HTTPRequest) throws(SourceError) -> HTTPResponse
    private let asked = Mutex<[HTTPRequest]>([])

    init(answer: @escaping @Sendable (HTTPRequest) throws(SourceError) -> HTTPResponse) { self.answer = answer }

    /// Answers everything with the same thing.
    convenience init(_ result: Result<HTTPResponse, SourceError>) {
        self.init { _ throws(SourceError) in try result.get() }
    }

    convenience init(status: Int, headers: HTTPHeaders = [:], _ body: String) {
        self.init(.success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))))
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try answer(request)
    }
}
