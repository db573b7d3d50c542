import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing
import WireClients

@testable import RPCServer

/// Peers that ask for work that nobody wants, beside a good client.
@Suite(.timeLimit(.minutes(10)))
struct AttackTests {
    typealias Frame = HTTP2Peer.Frame

    /// The way in which a connection ended.
    private struct End {
        var goAway: HTTP2Peer.GoAway?
        /// The number of times that the server has counted the expected event.
        var count: Int
    }

    /// Sends frames with one write, and waits until the server has closed the connection.
    private func end(
        counting event: ServerEvent,
        _ methods: TestMethods = TestMethods(),
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        after frames: (inout HTTP2Peer) throws -> [Frame]
    ) async throws -> End {
        var end: End?
        try await HTTP2Peer.runBesideAGoodClient(configure, methods: methods, settings: []) { server, peer in
            await peer.send(try frames(&peer))
            end = End(goAway: await peer.end(), count: server.count(of: event))
        }
        return try #require(end)
    }

    private static func fewCancels(_ configuration: inout ServerConfiguration) {
        configuration.cancels = RateLimit(count: 20, window: .seconds(30))
    }

    private static func fewGlitches(_ configuration: inout ServerConfiguration) {
        configuration.maximumGlitches = 20
    }

    // MARK: Calls that are begun and given up

    @Test func requestsThatAreResetBeforeTheirEndCountAsWell() async throws {
        let end = try await end(counting: .tooManyCancels, TestMethods(), Self.fewCancels) { peer in
            try peer.onStreams(50) { [try $1.head("Echo", on: $0), .reset($0)] }
        }
        #expect(end.goAway?.text == "TOO_MANY_CANCELS")
    }

    // MARK: Streams that the server has to reset (CVE-2025-8671)

    enum Fault: CaseIterable {
        case contentLength
        case closedWindow
        case forbiddenHeader
        case longBodyOfACallThatRuns
        case forbiddenTrailer
        case forbiddenTrailerOfACallThatRuns

        func frames(on stream: UInt32, of peer: inout HTTP2Peer) throws -> [Frame] {
            switch self {
            case .contentLength: try peer.call("Hold", on: stream, [("content-length", "500")])
            case .closedWindow: try peer.call("Hold", on: stream) + [.windowUpdate(0, on: stream)]
            case .forbiddenHeader: [try peer.head("Hold", on: stream, [("te", "gzip")], endStream: true)]
            case .longBodyOfACallThatRuns:
                [
                    try peer.head("Talk", on: stream, [("content-length", "6")]),
                    .data(HTTP2Peer.prefixed([7]), on: stream), .data(HTTP2Peer.prefixed([7]), on: stream),
                ]
            case .forbiddenTrailer:
                [
                    try peer.head("Hold", on: stream), .data(HTTP2Peer.prefixed([]), on: stream),
                    try peer.head("Hold", on: stream, endStream: true),
                ]
            case .forbiddenTrailerOfACallThatRuns:
                [
                    try peer.head("Talk", on: stream), .data(HTTP2Peer.prefixed([7]), on: stream),
                    try peer.head("Talk", on: stream, endStream: true),
                ]
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func faultsThatResetAStreamEndTheConnection(_ fault: Fault) async throws {
        let methods = TestMethods()
        let end = try await end(counting: .streamError, methods, Self.fewGlitches) { peer in
            try peer.onStreams(50) { try fault.frames(on: $0, of: &$1) }
        }
        #expect(end.goAway?.code == .enhanceYourCalm)
        #expect(end.goAway?.text == "TOO_MANY_GLITCHES")
        #expect((end.goAway?.lastStream ?? 0) >= (fault == .forbiddenHeader ? 0 : 41), "the calls that may have run")
        #expect(end.count == 21)
        try await eventually { methods.waitingCount == 0 }
    }

    private static func fewFaults(_ configuration: inout ServerConfiguration) {
        configuration.faults = RateLimit(count: 20, window: .seconds(30))
    }

    @Test func requestsThatAreTooLargeEndTheConnection() async throws {
        let prefix = ByteBuffer(bytes: [0, 0, 0xFF, 0, 0])
        let end = try await end(counting: .tooManyFaults, TestMethods(), Self.fewFaults) { peer in
            try peer.onStreams(50) { [try $1.head("Echo", on: $0), .data(prefix, on: $0, endStream: true)] }
        }
        #expect(end.goAway?.text == "TOO_MANY_FAULTS")
        #expect(end.count == 1)
    }

    /// A malformed request counts, whatever the code of its answer.
    @Test(
        arguments: [
            ([], [2, 0, 0, 0, 0]), ([], [1, 0, 0, 0, 0]), ([], [0, 0, 0, 0, 9, 1]), ([], [0, 0, 0]), ([], []),
            ([], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ([("grpc-timeout", "soon")], [0, 0, 0, 0, 0]),
            ([("grpc-encoding", "gzip")], [1, 0, 0, 0, 1, 7]),
            ([("content-type", "application/proto"), ("connect-timeout-ms", "soon")], [1]),
            ([("content-type", "application/proto"), ("connect-protocol-version", "2")], [1]),
            ([("content-type", "application/connect+proto")], [2, 0, 0, 0, 0]),
        ] as [([(String, String)], [UInt8])]
    )
    func malformedRequestsEndTheConnection(_ headers: [(String, String)], _ body: [UInt8]) async throws {
        let end = try await end(counting: .malformedRequest, TestMethods(), Self.fewFaults) { peer in
            try peer.onStreams(50) { stream, peer in
                let head = try peer.head("Echo", on: stream, headers)
                return [head, .data(ByteBuffer(bytes: body), on: stream, endStream: true)]
            }
        }
        #expect(end.goAway?.text == "TOO_MANY_FAULTS")
        #expect(end.count == 21)
    }

    // MARK: Frames that cost only the server

    @Test(arguments: [
        Frame.ping, .pingAnswer, .settings([]), .settings([(4, 70_000)]), .priority(of: 1), .windowUpdate(1), .unknown,
        .reset(1),
    ])
    func framesWithoutEffectEndTheConnection(_ frame: Frame) async throws {
        let end = try await end(counting: .tooManyControlFrames) { peer in
            let first = try peer.call("Echo", on: 1)
            return first + Array(repeating: frame, count: 250)
        }
        #expect(end.goAway?.code == .enhanceYourCalm)
        #expect(end.count == 1)
    }

    /// Frames of a stream that was reset are discarded, and those without bytes use up no window.
    @Test func emptyDataOfAStreamThatWasResetEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyControlFrames) { peer in
            let forbidden = try peer.head("Hold", on: 1, [("te", "gzip")])
            return [forbidden] + Array(repeating: .data(ByteBuffer(), on: 1), count: 250)
        }
        #expect((end.goAway?.text, end.count) == ("TOO_MANY_CONTROL_FRAMES", 1))
    }

    /// gRFC A8 names the text.
    @Test func aFloodOfPingsEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyControlFrames) { _ in Array(repeating: .ping, count: 4) }
        #expect(end.goAway == .init(lastStream: 0, code: .enhanceYourCalm, text: "too_many_pings"))
    }

    /// For each rule see `ForbiddenFrameTests`.
    @Test(
        arguments: [
            ([.windowUpdate(0x7FFF_FFFF)], .protocolError, .flowControlError),
            // CVE-2024-27316.
            (
                [Frame(type: 1, stream: 1)] + Array(repeating: .continuation(ByteBuffer(), on: 1), count: 20),
                .tooManyControlFrames, .enhanceYourCalm
            ),
        ] as [([Frame], ServerEvent, HTTP2ErrorCode)]
    )
    func aForbiddenFrameEndsTheConnection(_ frames: [Frame], _ event: ServerEvent, _ code: HTTP2ErrorCode) async throws
    {
        let end = try await end(counting: event) { _ in frames }
        #expect((end.goAway?.code, end.count) == (code, 1))
    }

    // MARK: Headers

    /// Makes the frames of a header block.
    static func frames(of block: ByteBuffer, on stream: UInt32) throws -> [Frame] {
        var (rest, frames) = (block, [Frame]())
        while let part = rest.readSlice(length: min(16_384, rest.readableBytes)), part.readableBytes > 0 {
            let endStream = rest.readableBytes == 0
            frames.append(
                frames.isEmpty
                    ? Frame(type: 1, flags: endStream ? Frame.endHeaders : 0, stream: stream, payload: part)
                    : .continuation(part, on: stream, endStream: endStream)
            )
        }
        return frames
    }

    // MARK: More streams than are permitted

    @Test func aFloodOfCallsAboveTheLimitOfStreamsEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyGlitches, TestMethods(), Self.fewGlitches) { peer in
            try peer.onStreams(200) { [try $1.head("Echo", on: $0)] }
        }
        #expect((end.goAway?.text, end.goAway?.lastStream, end.count) == ("TOO_MANY_GLITCHES", 255, 1))
    }
}
