import Framing
import MarvelDomain
import NIOCore
import RPCCore
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// Calls that are refused before they begin: whose they are, what they cost, and what they write.
@Suite(.timeLimit(.minutes(10)))
struct RefusedCallTests {
    private static let unknownService = MethodPath(service: "no.Service", method: "None")
    private static let unknownMethod = MethodPath(service: SampleSearch.path.service, method: "None")
    private static let records = [
        TestToken.record(1, [.catalogRead]), TestToken.record(2, [.catalogRead], expiry: 1),
        TestToken.record(3, [], name: "nobody"),
    ]

    /// A way to be refused.
    struct Way: Sendable, CustomTestStringConvertible {
        var reason: ErrorReason
        var path = SampleSearch.path
        var token: UInt8?
        var principal: String?

        var testDescription: String { reason.rawValue }

        var metadata: [(String, String)] { token.map { TestToken.metadata(TestToken.token($0)) } ?? [] }
    }

    private static let ways = [
        Way(reason: .methodUnknown, path: unknownService, token: 1, principal: "reader"),
        Way(reason: .methodUnknown, path: unknownMethod, token: 1, principal: "reader"),
        Way(reason: .methodUnknown, path: unknownService, principal: ""), Way(reason: .tokenMissing, principal: ""),
        Way(reason: .tokenInvalid, token: 9), Way(reason: .tokenInvalid, path: unknownService, token: 9),
        Way(reason: .tokenExpired, token: 2), Way(reason: .scopeMissing, token: 3, principal: "nobody"),
    ]

    /// However often a call is refused, its lines are few, and they tell of all. A good call between many keeps the connection.
    @Test(arguments: Wire.ports, ways)
    func refusalsFillNoLog(_ wire: Wire, _ way: Way) async throws {
        let (log, count) = (RecordedCalls(.rare), 600)
        try await GuardedServer.run(Self.records, log: log) { guarded in
            try await guarded.withPeer(wire) { peer in
                for number in 0..<count {
                    let error = try await peer.first(way.path, SampleSearch.request, way.metadata).error
                    #expect(error?.reason == way.reason)
                    if number.isMultiple(of: 100) {
                        let good = TestToken.metadata(TestToken.token(1))
                        #expect(try await peer.searchRefusal(good) == nil)
                    }
                }
            }
        }
        #expect(log.callCount { $0.reason == way.reason } == count)
        #expect(log.lineCount { $0.reason == way.reason } <= log.maximumLines)
        let principals = log.all.filter { $0.call.reason == way.reason }.map(\.call.principal?.name)
        #expect(principals.allSatisfy { $0 == way.principal }, "the line names the refused caller")
    }

    /// RATE_LIMIT is a refusal like the others.
    @Test(arguments: Wire.ports)
    func callsAboveTheRateFillNoLog(_ wire: Wire) async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 1, callBurst: 1, bytesPerSecond: 0)
        let log = RecordedCalls(.rare)
        try await GuardedServer.run(Self.records, quotas: quotas, log: log) { guarded in
            for _ in 0..<4 {
                try await guarded.withPeer(wire) { peer in
                    let metadata = TestToken.metadata(TestToken.token(1))
                    for _ in 0..<150 { _ = try await peer.searchRefusal(metadata) }
                }
            }
        }
        #expect(log.callCount { $0.reason == .rateLimit } > 500)
        #expect(log.lineCount { $0.reason == .rateLimit } <= log.maximumLines)
        #expect(log.all.allSatisfy { $0.call.principal?.name == "reader" })
    }

    /// A call counts before its method is looked for: for its caller's name, or for the address.
    @Test(arguments: Wire.ports, [nil, 1, 9] as [UInt8?])
    func unknownMethodsCountForTheQuotaOfTheirCaller(_ wire: Wire, _ token: UInt8?) async throws {
        var quotas = CallerQuotas()
        quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: 10, bytesPerSecond: 0)
        quotas.named = quotas.anonymous
        try await GuardedServer.run(Self.records, quotas: quotas, callers: .one) { guarded in
            try await guarded.withPeer(wire) { peer in
                var reasons: [ErrorReason?] = []
                let metadata = token.map { TestToken.metadata(TestToken.token($0)) } ?? []
                for path in [Self.unknownService, Self.unknownMethod] {
                    for _ in 0..<10 { reasons.append(try await peer.first(path, ByteBuffer(), metadata).error?.reason) }
                }
                let expected = token == 9 ? ErrorReason.tokenInvalid : .methodUnknown
                #expect(reasons.prefix(10).allSatisfy { $0 == expected })
                #expect(reasons.contains(.rateLimit))
            }
        }
    }

    /// Strangers do not learn which services there are.
    @Test(arguments: Wire.ports)
    func anUnknownMethodNamesNoServiceToStrangers(_ wire: Wire) async throws {
        try await GuardedServer.run(Self.records) { guarded in
            try await guarded.withPeer(wire) { peer in
                let errors = [
                    try await peer.first(Self.unknownService, ByteBuffer()).error,
                    try await peer.first(Self.unknownMethod, ByteBuffer()).error,
                ]
                for error in errors {
                    #expect(error?.message == "unknown method")
                    #expect(error?.details == [.errorInfo(ErrorInfo(reason: .methodUnknown))])
                }
                let known = try await peer.first(
                    Self.unknownService,
                    ByteBuffer(),
                    TestToken.metadata(TestToken.token(3))
                )
                #expect(known.error.map { "\($0.details)".contains(SampleSearch.path.service) } == true)
            }
        }
    }

    /// A request that cannot be read counts for the caller of Hello, or of the address.
    @Test func malformedRequestsCountForTheQuotaOfTheirCaller() async throws {
        try await RawPeer.run(
            callers: .one,
            { $0.quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: 10, bytesPerSecond: 0) }
        ) { server, _, peer in
            var reasons: [ErrorReason?] = []
            for number in 0..<20 {
                try await peer.send(.request, on: .number(number), ByteBuffer(bytes: [0xFF]))
                reasons.append(try await peer.nextStatus()?.reason)
            }
            #expect(reasons.prefix(10).allSatisfy { $0 == .requestMalformed })
            #expect(reasons.contains(.rateLimit))
        }
    }

    /// A request that is wrong stays the peer's fault when its caller is told of its rate.
    @Test func malformedRequestsAboveTheRateAreFaults() async throws {
        try await RawPeer.run(
            callers: .one,
            {
                $0.quotas.anonymous = CallerLimits(callsPerSecond: 1, callBurst: 1, bytesPerSecond: 0)
                $0.limits.faults = RateLimit(count: 50, window: .seconds(600))
            }
        ) { server, _, peer in
            try await peer.sayHello()
            for number in 0..<100 { try? await peer.send(.request, on: .number(number), ByteBuffer(bytes: [0xFF])) }
            let frames = try await peer.allFrames()
            #expect(try frames.last { $0.header.type == .goAway }?.goAwayReason == "TOO_MANY_FAULTS")
            #expect(server.count(of: .malformedRequest) == 51)
        }
    }

    /// An open call makes the limit ten times as high, and no higher. Calls above the maximum of open ones count as others.
    @Test(arguments: [("None", PeerLimits().maximumStreams), ("Echo", 1)])
    func aConnectionThatErrsBesideAWatchIsEnded(_ method: String, _ maximumStreams: Int) async throws {
        try await RawPeer.run({ $0.limits.maximumStreams = maximumStreams }) { server, _, peer in
            try await peer.sayHello(initialCredit: 1)
            try await peer.send([.request("OneThenHold", on: .number(0), flags: .remoteClosed)])
            let refusals = 10 * CallerLimits.rejections.count
            for number in 1..<(refusals + 100) { try? await peer.send([.request(method, on: .number(number))]) }
            let frames = try await peer.allFrames()
            #expect(frames.count { $0.header.type == .response } > refusals)
            #expect(try frames.last { $0.header.type == .goAway }?.goAwayReason == "TOO_MANY_REJECTIONS")
        }
    }

    // MARK: Callers that share a connection

    private static func request(_ number: Int, _ token: UInt8? = nil, padding: Int = 0) -> Frame {
        var metadata = Metadata()
        if let token { metadata.append("authorization", Authorization.value(TestToken.token(token))) }
        if padding > 0 { metadata.append("padding", String(repeating: "x", count: padding)) }
        return .search(on: .number(number), metadata: metadata)
    }

    /// Anybody who shares the connection through a proxy may have requested the pages.
    @Test func refusedPagesDoNotCountForACallerWithAName() async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 1, callBurst: 3, bytesPerSecond: 0)
        try await GuardedServer.run(Self.records, quotas: quotas, callers: .one) { guarded in
            let peer = try await RawPeer.connect(to: guarded.server.addresses[1])
            let call =
                "POST /\(SampleSearch.path) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nAuthorization: \(Authorization.value(TestToken.token(1)))\r\n"
                + "Content-Length: 18\r\n"
            let page = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let pages = String(repeating: page, count: 50)
            let body = #"{"query":"spider"}"#
            let text = "\(call)\r\n\(body)\(pages)\(call)Connection: close\r\n\r\n\(body)"
            try await peer.send(ByteBuffer(string: text))
            let answers = await peer.allText().split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            #expect(answers == ["200"] + [Substring](repeating: "404", count: 50) + ["200"])
            try? await peer.close()
        }
    }

    /// The bytes of strangers count for their address, and do not delay other callers.
    @Test func bytesOfStrangersDoNotCountForACallerWithAName() async throws {
        var quotas = CallerQuotas()
        quotas.named = CallerLimits(callsPerSecond: 100, callBurst: 100, bytesPerSecond: 1_000)
        quotas.anonymous = CallerLimits(callsPerSecond: 100, callBurst: 100, bytesPerSecond: 1_000)
        try await GuardedServer.run(Self.records, quotas: quotas, callers: .one) { guarded in
            let peer = try await RawPeer.connect(to: guarded.server.addresses[0])
            // The padding of each is more than a minute of the pace in all.
            for number in 0..<34 {
                let isNamed = [0, 33].contains(number)
                let padding = isNamed || number == 1 ? 0 : 4_000
                try await peer.send([Self.request(number, isNamed ? 1 : nil, padding: padding)])
                let frame = try #require(try await peer.nextFrame())
                #expect(try frame.status?.reason == (isNamed ? nil : .tokenMissing))
            }
            try await peer.close()
        }
    }
}
