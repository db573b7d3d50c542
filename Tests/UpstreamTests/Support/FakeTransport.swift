import MarvelAPI
import Synchronization

/// Answers by what the whole request is, and remembers what was asked.
final class FakeTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) throws(HTTPTransportError) -> HTTPResponse
    private let asked = Mutex<[HTTPRequest]>([])

    init(answer: @escaping @Sendable (HTTPRequest) throws(HTTPTransportError) -> HTTPResponse) { self.answer = answer }

    /// Answers everything with the same thing.
    convenience init(_ result: Result<HTTPResponse, HTTPTransportError>) {
        self.init { _ throws(HTTPTransportError) in try result.get() }
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func get(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try answer(request)
    }
}
