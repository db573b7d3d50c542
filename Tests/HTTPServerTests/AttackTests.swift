import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCCore
import Testing

@testable import RPCServer

/// Peers that ask for work that nobody wants, beside a good client.
@Suite(.timeLimit(.minutes(1)))
struct AttackTests {
    typealias Frame = RawHTTP2Peer.Frame

    /// The way in which a connection ended.
    private struct End {
        var goAway: RawHTTP2Peer.GoAway?
        /// The number of times that the server has counted the expected event.
        var count: Int
    }

    /// Sends frames with one write, and waits until the server has closed the connection.
    private func end(
        counting event: ServerEvent,
        _ methods: TestMethods = TestMethods(),
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        after frames: (inout RawHTTP2Peer) throws -> [Frame]
    ) async throws -> End {
        var end: End?
        try await RawHTTP2Peer.runBesideAGoodClient(configure, methods: methods) { server, peer in
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

    /// CVE-2023-44487. The GOAWAY says which calls may have run, so that clients do not run them again.
    @Test func callsThatAreBegunAndResetEndTheConnection() async throws {
        let methods = TestMethods()
        let end = try await end(counting: .tooManyCancels, methods, Self.fewCancels) { peer in
            try peer.onStreams(50) { try $1.call("Hold", on: $0) + [.reset($0)] }
        }
        #expect(end.goAway == .init(lastStream: 41, code: .enhanceYourCalm, text: "TOO_MANY_CANCELS"))
        #expect(end.count == 1)
        try await eventually { methods.waitingCount == 0 }
    }

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
        case overflownWindow
        case dataAfterTheEnd
        case forbiddenHeader
        case headersAfterTheEnd
        case longBody
        case longBodyOfACallThatRuns
        case noBody
        case forbiddenTrailer
        case forbiddenTrailerOfACallThatRuns

        func frames(on stream: UInt32, of peer: inout RawHTTP2Peer) throws -> [Frame] {
            switch self {
            case .contentLength: try peer.call("Hold", on: stream, [("content-length", "500")])
            case .closedWindow: try peer.call("Hold", on: stream) + [.windowUpdate(0, on: stream)]
            case .overflownWindow: try peer.call("Hold", on: stream) + [.windowUpdate(0x7FFF_FFFF, on: stream)]
            case .dataAfterTheEnd: try peer.call("Hold", on: stream) + [.data(ByteBuffer(), on: stream)]
            case .forbiddenHeader: [try peer.head("Hold", on: stream, [("te", "gzip")], isEnd: true)]
            case .headersAfterTheEnd:
                try peer.call("Hold", on: stream) + [try peer.head("Hold", on: stream, isEnd: true)]
            case .longBody: try peer.call("Hold", on: stream, [("content-length", "4")])
            case .longBodyOfACallThatRuns:
                [
                    try peer.head("Talk", on: stream, [("content-length", "6")]),
                    .data(HTTP2Peer.prefixed([7]), on: stream), .data(HTTP2Peer.prefixed([7]), on: stream),
                ]
            case .noBody: [try peer.head("Hold", on: stream, [("content-length", "5")], isEnd: true)]
            case .forbiddenTrailer:
                [
                    try peer.head("Hold", on: stream), .data(HTTP2Peer.prefixed([]), on: stream),
                    try peer.head("Hold", on: stream, isEnd: true),
                ]
            case .forbiddenTrailerOfACallThatRuns:
                [
                    try peer.head("Talk", on: stream), .data(HTTP2Peer.prefixed([7]), on: stream),
                    try peer.head("Talk", on: stream, isEnd: true),
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

    /// One that only happens now and then is answered with a reset, and no more.
    @Test(arguments: Fault.allCases)
    func aFaultEndsItsStreamOnly(_ fault: Fault) async throws {
        try await RawHTTP2Peer.runBesideAGoodClient { server, peer in
            await peer.send(try fault.frames(on: 1, of: &peer))
            let reset = await peer.nextFrame { $0.type == 3 }
            #expect(reset?.stream == 1)
            await peer.send(try peer.call("Echo", [7], on: 3))
            let answer = await peer.nextFrame { $0.type == 0 }
            #expect(answer?.stream == 3)
            #expect((server.count(of: .streamError), server.count(of: .cancelReceived)) == (1, 0))
        }
    }

    private static func fewFaults(_ configuration: inout ServerConfiguration) {
        configuration.faults = RateLimit(count: 20, window: .seconds(30))
    }

    @Test func requestsThatAreTooLargeEndTheConnection() async throws {
        let prefix = ByteBuffer(bytes: [0, 0, 0xFF, 0, 0])
        let end = try await end(counting: .tooManyFaults, TestMethods(), Self.fewFaults) { peer in
            try peer.onStreams(50) { [try $1.head("Echo", on: $0), .data(prefix, on: $0, isEnd: true)] }
        }
        #expect(end.goAway?.text == "TOO_MANY_FAULTS")
        #expect(end.count == 1)
    }

    /// What is not of the protocol counts, whatever its code.
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
                return [head, .data(ByteBuffer(bytes: body), on: stream, isEnd: true)]
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

    /// Those for which the library has no limit, over a longer time than one write.
    @Test(arguments: [Frame.unknown, .windowUpdate(1), .priority(of: 7)])
    func slowFloodsEndTheConnectionToo(_ frame: Frame) async throws {
        try await RawHTTP2Peer.runBesideAGoodClient { server, peer in
            for stream: UInt32 in stride(from: 1, to: 3_001, by: 2) {
                await peer.send([.unknown, frame] + (try peer.call("Echo", [1], on: stream)))
                // The answer, or the end.
                guard await peer.nextFrame(where: { $0.type == 0 || $0.type == 7 })?.type == 0 else { break }
            }
            #expect(await peer.end() == nil)
            #expect(server.count(of: .tooManyControlFrames) == 1)
            #expect(server.count(of: .frameIgnored) >= 200 / (frame.type == Frame.unknown.type ? 1 : 2))
        }
    }

    /// Unsolicited answers to settings are an error at once.
    @Test func answersToSettingsThatWereNotSentEndTheConnection() async throws {
        let end = try await end(counting: .protocolError) { _ in [.settingsAnswer, .settingsAnswer] }
        #expect(end.goAway?.code == .protocolError)
        #expect(end.count == 1)
    }

    @Test func emptyDataEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyControlFrames) { peer in
            [try peer.head("Echo", on: 1)] + Array(repeating: .data(ByteBuffer(), on: 1), count: 10)
        }
        #expect((end.goAway?.code, end.count) == (.enhanceYourCalm, 1))
    }

    @Test func dataOfPaddingAloneEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyControlFrames) { peer in
            [try peer.head("Echo", on: 1)] + Array(repeating: .padding(200, on: 1), count: 10)
        }
        #expect((end.goAway?.code, end.count) == (.enhanceYourCalm, 1))
    }

    // MARK: Headers

    /// CVE-2024-27316.
    @Test func continuationsWithoutEndEndTheConnection() async throws {
        let end = try await end(counting: .tooManyControlFrames) { peer in
            let head = Frame(type: 1, stream: 1, payload: try peer.headers("Echo"))
            return [head] + Array(repeating: .continuation(ByteBuffer(), on: 1), count: 20)
        }
        #expect((end.goAway?.code, end.count) == (.enhanceYourCalm, 1))
    }

    /// A header of 4,000 bytes, and many references to it of one byte each.
    @Test func aHeaderThatIsRepeatedByReferenceEndsTheConnection() async throws {
        let end = try await end(counting: .protocolError) { peer in
            var block = try peer.headers("Echo")
            block.writeBytes(
                [0x40, 1] + Array("x".utf8) + [0x7F, 0xA1, 0x1E] + [UInt8](repeating: 0x61, count: 4_000)
            )
            block.writeBytes([UInt8](repeating: 0xBE, count: 1_000))
            return [Frame(type: 1, flags: Frame.endHeaders | Frame.endStream, stream: 1, payload: block)]
        }
        #expect(end.count == 1)
    }

    /// Up to this size only their own stream ends: see `HTTP2RequestTests`.
    @Test func headersOverFourTimesTheAnnouncedSizeEndTheConnection() async throws {
        let end = try await end(counting: .protocolError) { peer in
            let block = try peer.headers("Echo", [("x-long", String(repeating: "v", count: 66_000))])
            return try Self.frames(of: block, on: 1)
        }
        #expect(end.count == 1)
    }

    /// Makes the frames of a header block.
    static func frames(of block: ByteBuffer, on stream: UInt32) throws -> [Frame] {
        var (rest, frames) = (block, [Frame]())
        while let part = rest.readSlice(length: min(16_384, rest.readableBytes)), part.readableBytes > 0 {
            let isEnd = rest.readableBytes == 0
            frames.append(
                frames.isEmpty
                    ? Frame(type: 1, flags: isEnd ? Frame.endHeaders : 0, stream: stream, payload: part)
                    : .continuation(part, on: stream, isEnd: isEnd)
            )
        }
        return frames
    }

    /// Tables, frames and windows of the largest size, and of none; and settings that are unknown.
    @Test(
        arguments: [
            [(1, 0)], [(1, 0xFFFF_FFFF)], [(3, 0)], [(4, 0x7FFF_FFFF)], [(5, 16_777_215)], [(6, 1)], [(0xFE03, 1)],
            [(1, 100), (1, 0), (1, 5_000)],
        ] as [[(UInt16, UInt32)]]
    )
    func anySettingsAreTaken(_ settings: [(UInt16, UInt32)]) async throws {
        try await RawHTTP2Peer.run(settings: settings) { server, peer in
            for stream: UInt32 in [1, 5, 9] {
                await peer.send(try peer.call("Echo", [7], on: stream))
                let answer = await peer.nextFrame { $0.type == 0 }
                #expect((answer?.stream, answer?.payload.readableBytes) == (stream, 6))
                await peer.send(try peer.call("Fail", [7], on: stream + 2))
            }
        }
    }

    // MARK: What is forbidden on a connection

    @Test(arguments: [
        (Frame.windowUpdate(0), HTTP2ErrorCode.protocolError), (.windowUpdate(0x7FFF_FFFF), .flowControlError),
        (Frame(type: 0, payload: ByteBuffer(bytes: [1])), .protocolError),
        (Frame(type: 9, flags: 4, stream: 1), .protocolError),
        (Frame(type: 6, payload: ByteBuffer(bytes: [1])), .frameSizeError),
        (Frame(type: 77, payload: ByteBuffer(repeating: 0, count: 16_385)), .frameSizeError),
        (.settings([(4, 0xFFFF_FFFF)]), .flowControlError), (.settings([(5, 1)]), .protocolError),
        (.data(ByteBuffer(bytes: [1]), on: 9), .protocolError), (.windowUpdate(1, on: 9), .protocolError),
        (.reset(9), .protocolError),
    ])
    func aForbiddenFrameEndsTheConnection(_ frame: Frame, _ code: HTTP2ErrorCode) async throws {
        let end = try await end(counting: .protocolError) { _ in [frame] }
        #expect(end.goAway?.code == code)
        #expect(end.count == 1)
    }

    @Test(arguments: [2, 0] as [UInt32])
    func aCallOnAForbiddenStreamEndsTheConnection(_ stream: UInt32) async throws {
        let end = try await end(counting: .protocolError) { try $0.call("Echo", on: stream) }
        #expect((end.goAway?.code, end.count) == (.protocolError, 1))
    }

    // MARK: More streams than are permitted

    /// A client that has not read the limit may send the calls again (RFC 9113, section 5.1.2).
    @Test func callsAboveTheLimitOfStreamsAreRefused() async throws {
        try await RawHTTP2Peer.runBesideAGoodClient { server, peer in
            await peer.send(try peer.onStreams(200) { [try $1.head("Echo", on: $0)] })
            for stream: UInt32 in stride(from: 257, to: 401, by: 2) {
                let reset = await peer.nextFrame { $0.type == 3 }
                #expect((reset?.stream, reset?.payload) == (stream, ByteBuffer(integer: 7 as UInt32)), "refused")
            }
            #expect(server.count(of: .streamLimit) == 72)
            await peer.send([.data(HTTP2Peer.prefixed([7]), on: 1, isEnd: true)])
            let answer = await peer.nextFrame { $0.type == 0 }
            #expect((answer?.stream, answer?.payload.readableBytes) == (1, 6))
        }
    }

    @Test func aFloodOfCallsAboveTheLimitOfStreamsEndsTheConnection() async throws {
        let end = try await end(counting: .tooManyGlitches, TestMethods(), Self.fewGlitches) { peer in
            try peer.onStreams(200) { [try $1.head("Echo", on: $0)] }
        }
        #expect((end.goAway?.text, end.goAway?.lastStream, end.count) == ("TOO_MANY_GLITCHES", 255, 1))
    }
}
