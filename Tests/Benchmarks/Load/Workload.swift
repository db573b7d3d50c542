import ArgumentParser
import Framing
import MarvelDomain
import NIOCore
import WireMessages

/// What a load asks for, again and again.
enum Workload: String, Codable, CaseIterable, ExpressibleByArgument, Sendable {
    /// One page of ten characters, as a unary call.
    case page
    /// A hundred such pages, as a stream.
    case stream
    /// A call that does nothing: `grpc.health.v1.Health/Check`.
    case tiny
    /// A favorite saved, and the oldest of a full list evicted; each connection has a list of its own.
    case toggle

    static let pagesPerStream = 100
    /// Matches thousands of the synthetic catalog's names, so that a stream of a hundred pages has them.
    static let query = "co"

    /// The frames that a connection sends in turn.
    func requests(connection: Int) -> [RequestTemplate] {
        switch self {
        case .page: [RequestTemplate(search(maxPages: 1))]
        case .stream: [RequestTemplate(search(maxPages: Int32(Workload.pagesPerStream)), flags: .remoteClosed)]
        case .tiny:
            [RequestTemplate(call("grpc.health.v1.Health", "Check", HealthCheckRequest()))]
        case .toggle:
            // Twice as many as a list holds: when a character's turn comes again, it has been evicted long since.
            (0..<10).map { character in
                RequestTemplate(
                    call(
                        "marvel.v1.MarvelService",
                        "ToggleFavorite",
                        ToggleFavoriteRequest(
                            list: "bench-\(connection)",
                            characterID: 2_000_000 + Int64(character),
                            requestID: RequestTemplate.requestID
                        )
                    )
                )
            }
        }
    }

    private func search(maxPages: Int32) -> RequestEnvelope {
        call(
            "marvel.v1.MarvelService",
            "SearchCharacters",
            SearchCharactersRequest(query: Workload.query, pageSize: 10, maxPages: maxPages)
        )
    }

    private func call(_ service: String, _ method: String, _ request: some WireMessage) -> RequestEnvelope {
        RequestEnvelope(service: service, method: method, payload: request.encoded())
    }
}
