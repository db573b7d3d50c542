import Glibc
import Logging
import MarvelClient
import NIOCore
import RPCCore
import RPCTransport
import Synchronization
import WireMessages

@testable import marvel

/// A server in the test's own process that answers as marvel-server does, quickly and from memory, and what it was asked.
final class LoadStand: Sendable {
    /// Pages of every result.
    static let pages = 3

    struct Seen: Sendable {
        var searches: [SearchCharactersRequest] = []
        var toggles: [ToggleFavoriteRequest] = []
        var lists: [ListFavoritesRequest] = []
    }

    private let seenByNow = Mutex(Seen())
    private let waiter = Mutex<(count: Int, continuation: CheckedContinuation<Void, Never>)?>(nil)
    private let server = Mutex<RPCServer?>(nil)

    var seen: Seen { seenByNow.withLock { $0 } }
    var address: String { server.withLock { $0?.addresses.first?.description } ?? "" }

    /// Runs a server while `body` runs.
    static func run(
        maximumConnections: Int = 1_000,
        _ body: (LoadStand) async throws -> Void
    ) async throws {
        let stand = LoadStand()
        var configuration = ServerConfiguration()
        configuration.maximumConnections = maximumConnections
        configuration.drainTimeout = .milliseconds(10)
        let server = try await RPCServer.start(
            on: [Endpoint(.tcp(host: "127.0.0.1", port: 0))],
            services: [Service(name: "marvel.v1.MarvelService", methods: stand.methods)],
            configuration: configuration,
            logger: Logger(label: "test")
        )
        stand.server.withLock { $0 = server }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(stand))
        } catch {
            result = .failure(error)
        }
        await stand.stop()
        try result.get()
    }

    /// Returns when that many searches have come.
    func searches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            waiter.withLock { $0 = (count, continuation) }
            wakeWaiter()
        }
    }

    private func wakeWaiter() {
        let count = seen.searches.count
        let continuation = waiter.withLock { waiter -> CheckedContinuation<Void, Never>? in
            guard let waiting = waiter, count >= waiting.count else { return nil }
            waiter = nil
            return waiting.continuation
        }
        continuation?.resume()
    }

    /// May be called more than once.
    func stop() async {
        let server = self.server.withLock { $0 }
        server?.stop()
        await server?.run()
    }

    /// Runs `marvel load` against this server.
    func load(
        _ line: String,
        output: MemoryOutput = MemoryOutput(),
        errors: MemoryOutput = MemoryOutput()
    ) async -> LoadRun {
        let program = Program(environment: Environment([:]), output: output, errors: errors) {
            MarvelClient(servers: $0, retries: $1.retries)
        }
        let arguments = "load --server \(address) \(line)".split(separator: " ").map(String.init)
        let status = await program.run(arguments)
        return LoadRun(status: status, output: output.text, errors: errors.text)
    }

    // MARK: What it answers

    private var methods: [RPCCore.Method] {
        [
            Method(name: "SearchCharacters", kind: .serverStreaming) { [self] call throws(RPCError) in
                let request = try decode(SearchCharactersRequest.self, call.payload)
                seenByNow.withLock { $0.searches.append(request) }
                wakeWaiter()
                switch request.query {
                case "fail": throw RPCError(.unavailable, reason: .upstreamUnavailable, "as asked")
                case "silent": return .later { () async throws(RPCError) in await LoadStand.waitForCancellation() }
                default: return try Pages(request).next()
                }
            },
            Method(name: "ToggleFavorite", kind: .unary) { [self] call throws(RPCError) in
                let request = try decode(ToggleFavoriteRequest.self, call.payload)
                seenByNow.withLock { $0.toggles.append(request) }
                return .last(ToggleFavoriteResponse(isFavorite: true, revision: 1).encoded())
            },
            Method(name: "ListFavorites", kind: .unary) { [self] call throws(RPCError) in
                let request = try decode(ListFavoritesRequest.self, call.payload)
                seenByNow.withLock { $0.lists.append(request) }
                return .last(ListFavoritesResponse(favorites: [], revision: 1, capacity: 5).encoded())
            },
        ]
    }

    private func decode<Request: WireMessage>(_: Request.Type, _ payload: ByteBuffer) throws(RPCError) -> Request {
        do {
            return try Request(decoding: payload, limit: .request)
        } catch {
            throw RPCError(.internalError, "\(error)")
        }
    }

    private static func waitForCancellation() async -> Step {
        // Sleeps longer than any test runs: the call's deadline cancels it.
        try? await Task.sleep(for: .seconds(3_600))
        return .end
    }

    private final class Pages: MessageSource {
        private let number: Int
        private let left: Int

        init(number: Int, left: Int) {
            self.number = number
            self.left = left
        }

        convenience init(_ request: SearchCharactersRequest) {
            let number = Int(request.pageToken) ?? 0
            let asked = request.maxPages == 0 ? .max : Int(request.maxPages)
            self.init(number: number, left: min(asked, LoadStand.pages - number))
        }

        func next() throws(RPCError) -> Step {
            guard left > 0 else { return .end }
            let isLast = number + 1 == LoadStand.pages
            let page = SearchCharactersResponse(
                characters: [ham, peter],
                total: 6,
                nextPageToken: isLast ? "" : "\(number + 1)"
            )
            return .encoded(page.encoded(), then: Pages(number: number + 1, left: left - 1))
        }
    }
}

/// One run of `marvel load`, and what came of it.
struct LoadRun {
    var status: ExitStatus
    var output: String
    var errors: String

    /// A figure of the JSON report by its path: `operations.toggle.calls`.
    func number(_ path: String) -> Double? {
        var rest = output[...]
        for name in path.split(separator: ".") {
            guard let place = rest.firstRange(of: "\"\(name)\":") else { return nil }
            rest = rest[place.upperBound...]
        }
        return Double(rest.prefix { $0.isNumber || ".-e".contains($0) })
    }
}
