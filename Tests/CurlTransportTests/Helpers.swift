import MarvelDomain
import Testing
import Upstream

@testable import CurlTransport

extension CurlTransport {
    func get(
        _ url: String,
        _ limits: HTTPResponseLimits = .patient
    ) async throws(SourceError) -> HTTPResponse {
        try await get(HTTPRequest(url: url, limits: limits))
    }

    /// The error that a request ends with. The URL carries a mark that no error text may show.
    func failure(_ url: String, _ limits: HTTPResponseLimits = .patient) async throws -> SourceError {
        let error = try #require(
            await #expect(throws: SourceError.self) { try await self.get(url + "?apikey=MARKER", limits) }
        )
        #expect(!"\(error) \(String(reflecting: error))".contains("MARKER"))
        return error
    }
}

extension HTTPResponseLimits {
    /// Times that a busy machine keeps.
    static var patient: HTTPResponseLimits {
        var limits = HTTPResponseLimits.standard
        limits.connectTimeout = .seconds(60)
        limits.totalTimeout = .seconds(60)
        limits.lowSpeedTime = .seconds(60)
        return limits
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension SourceError {
    /// The case without its text; empty for a case that has none.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}

/// Something that happens once, on any thread, and that a test waits for. A test that is cancelled waits no longer.
struct Event: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.finish() }

    func wait() async {
        for await _ in stream {}
    }
}
