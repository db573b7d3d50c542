import MarvelAPI
import Testing

@testable import CurlTransport

extension CurlTransport {
    func get(
        _ url: String,
        _ limits: HTTPResponseLimits = HTTPResponseLimits()
    ) async throws(HTTPFetchError) -> HTTPResponse {
        try await get(HTTPRequest(url: url, limits: limits))
    }

    /// The error that a request ends with. The URL carries a mark that no error text may show.
    func failure(_ url: String, _ limits: HTTPResponseLimits = HTTPResponseLimits()) async throws -> HTTPFetchError {
        let error = try #require(
            await #expect(throws: HTTPFetchError.self) { try await self.get(url + "?apikey=MARKER", limits) }
        )
        #expect(!"\(error) \(String(reflecting: error))".contains("MARKER"))
        return error
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPFetchError {
    /// The case without its text; empty for a case that has none.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
