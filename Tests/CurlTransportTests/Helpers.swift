import MarvelAPI
import Testing

@testable import CurlTransport

extension CurlTransport {
    func get(_ url: String, _ limits: HTTPLimits = HTTPLimits()) async throws(HTTPTransportError) -> HTTPResponse {
        try await get(HTTPRequest(url: url, limits: limits))
    }

    /// The error that a request ends with. The URL carries a mark that no error text may show.
    func failure(_ url: String, _ limits: HTTPLimits = HTTPLimits()) async throws -> HTTPTransportError {
        let error = try #require(
            await #expect(throws: HTTPTransportError.self) { try await self.get(url + "?apikey=MARKER", limits) }
        )
        #expect(!"\(error) \(String(reflecting: error))".contains("MARKER"))
        return error
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPTransportError {
    /// The case without its text; empty for a case that has none.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
