import MarvelDomain
import RPCCore
import Upstream

/// A fetcher that sends the trace of its call (W3C Trace Context).
///
/// A request for several callers has the trace of the one that began it.
struct TracedFetcher: HTTPFetcher {
    private let fetcher: any HTTPFetcher

    init(_ fetcher: any HTTPFetcher) { self.fetcher = fetcher }

    func get(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
        guard let trace = TraceParent.current else { return try await fetcher.get(request) }
        var traced = request
        let header = trace.header(operation: .random(in: 1...UInt64.max))
        traced.headers.fields.append(HTTPHeaders.Field(name: TraceParent.key, value: header))
        return try await fetcher.get(traced)
    }
}
