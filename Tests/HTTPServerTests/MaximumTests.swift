import Catalog
import HTTPFraming
import Logging
import MarvelDomain
import MarvelService
import NIOCore
import NIOHPACK
import NIOHTTP2
import RPCClient
import RPCCore
import SampleRequests
import StoreContract
import Testing
import WireClients
import WireMessages

@testable import RPCServer

/// Every method at every documented maximum, over every wire.
///
/// The largest sample request of each method is sent as it is, and filled up with an unknown field, or with white space
/// in JSON, to the largest message that the method takes. One byte more is refused.
@Suite(.timeLimit(.minutes(2)))
struct MaximumTests {
    enum Wire: CaseIterable {
        case framed
        case gRPC
        case connectHTTP1
        case connectHTTP2
        case connectJSON1
        case connectJSON2

        var isHTTP2: Bool { self == .gRPC || self == .connectHTTP2 || self == .connectJSON2 }
        var isJSON: Bool { self == .connectJSON1 || self == .connectJSON2 }
    }

    enum Outcome: Equatable {
        /// The first message of the answer has arrived.
        case answered
        /// The error's code by its name.
        case failed(String)
    }

    private static func service() -> CharacterService {
        let catalog = EditableCatalog(BuiltInCatalog.catalog())
        let store = MemoryFavoritesStore()
        let curation = Curation(catalog: catalog, edits: MemoryEditStore(), pictures: AnyPicture())
        return CharacterService(catalog: catalog, store: store, curation: curation, allowsEdits: true)
    }

    @Test(arguments: Wire.allCases)
    func everyMethodTakesItsMaximum(_ wire: Wire) async throws {
        let services = Self.service().services
        let server = try await RPCServer.start(
            on: [ListeningEndpoint(.tcp(host: "127.0.0.1", port: 0), wire: wire == .framed ? .framed : .http)],
            services: services,
            logger: Logger(label: "test")
        )
        try await running {
            try await callAll(services, wire, server)
        } finally: {
            server.stop()
            await server.run()
        }
    }

    private func callAll(_ services: [RPCService], _ wire: Wire, _ server: RPCServer) async throws {
        for service in services {
            // Conversations are for gRPC. This client of the framed wire has none.
            for method in service.methods where wire == .gRPC || !method.takesFurtherRequests {
                let path = MethodPath(service: service.name, method: method.name)
                let message = try #require(SampleRequests.all[path], "\(path) has no sample request").largest
                let row = message.encoded()
                let maximum = method.maximumRequestBytes
                let requests =
                    try wire.isJSON
                    ? Self.jsonRequests(message, method) : [row, row.filled(to: maximum), row.filled(to: maximum + 1)]
                for (request, expected) in zip(
                    requests,
                    [.answered, .answered, .failed("RESOURCE_EXHAUSTED")] as [Outcome]
                ) {
                    let outcome = try await call(path, method, request, wire, server)
                    #expect(outcome == expected, "\(path): \(request.readableBytes) bytes")
                }
            }
        }
    }

    /// The request in JSON, as it is and filled up with white space.
    private static func jsonRequests(_ message: any WireMessage, _ method: RPCMethod) throws -> [ByteBuffer] {
        let json = try message.json()
        let maximum = 2 * method.maximumRequestBytes
        return [json.readableBytes, maximum, maximum + 1].map { byteCount in
            var request = json
            request.writeRepeatingByte(UInt8(ascii: " "), count: byteCount - json.readableBytes)
            return request
        }
    }

    // MARK: Calls

    private func call(
        _ path: MethodPath,
        _ method: RPCMethod,
        _ request: ByteBuffer,
        _ wire: Wire,
        _ server: RPCServer
    ) async throws -> Outcome {
        guard wire != .framed else { return await framedCall(path, method, request, server) }
        let isEnveloped = wire == .gRPC || method.isStreaming
        var body = ByteBuffer()
        if isEnveloped { body.writeMultipleIntegers(0 as UInt8, UInt32(request.readableBytes)) }
        body.writeImmutableBuffer(request)
        let codec = wire.isJSON ? "json" : "proto"
        let type = wire == .gRPC ? "application/grpc" : "application/\(isEnveloped ? "connect+" : "")\(codec)"
        var outcome: Outcome?
        if wire.isHTTP2 {
            try await HTTP2Peer.connected(to: server) { peer in
                let id = try await peer.begin(
                    HTTP2Peer.head("", [(":path", "/\(path)"), ("content-type", type)]),
                    isEnd: body.readableBytes == 0
                )
                if body.readableBytes > 0 { try? await peer.send(body, on: id, inFramesOf: 16_384) }
                outcome = try await Self.outcome(on: id, of: &peer, isEnveloped: isEnveloped)
            }
        } else {
            try await HTTP1Peer.connected(to: server) { peer in
                let head = "POST /\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                try? await peer.send(
                    Array("\(head)Content-Length: \(body.readableBytes)\r\n\r\n".utf8) + Array(body.readableBytesView)
                )
                let answer = try #require(try await peer.answer(hasBody: !isEnveloped))
                let bytes = isEnveloped ? try await peer.chunk() ?? [] : answer.body
                outcome = Self.outcome(ofConnect: bytes, isEnveloped: isEnveloped, status: answer.status)
            }
        }
        return try #require(outcome)
    }

    private func framedCall(
        _ path: MethodPath,
        _ method: RPCMethod,
        _ request: ByteBuffer,
        _ server: RPCServer
    ) async -> Outcome {
        var options = RPCClientOptions()
        options.retries = nil
        let client = RPCClient(addresses: [server.addresses[0]], options: options)
        let outcome: Outcome
        do throws(RPCError) {
            if method.isStreaming {
                _ = try await client.serverStream(path, request).makeAsyncIterator().next()
            } else {
                _ = try await client.unary(path, request)
            }
            outcome = .answered
        } catch {
            outcome = .failed(error.code.name)
        }
        await client.shutdown()
        return outcome
    }

    /// Waits for the first message of an answer, or for an error.
    private static func outcome(
        on id: HTTP2StreamID,
        of peer: inout HTTP2Peer,
        isEnveloped: Bool
    ) async throws -> Outcome {
        var answer = HTTP2Peer.Answer()
        while let frame = try await peer.nextFrame(on: id) {
            let isEnd = answer.take(frame)
            if let code = answer.reset { return .failed("RST_STREAM \(code)") }
            if let status = answer.status, status != .ok { return .failed(status.name) }
            let status = answer.head?.first(name: ":status").flatMap(Int.init) ?? 0
            let isWhole = isEnd || isEnveloped && answer.data.readableBytes > 5
            if isWhole || answer.head?.first(name: "grpc-status") != nil {
                if answer.head?.first(name: "content-type") == "application/grpc" { return .answered }
                let body = Array(answer.data.readableBytesView)
                return outcome(ofConnect: body, isEnveloped: isEnveloped, status: status)
            }
        }
        return .failed("the connection ended")
    }

    private static func outcome(ofConnect body: [UInt8], isEnveloped: Bool, status: Int) -> Outcome {
        // The flags of the first message.
        if isEnveloped ? body.first == 0 : status == 200 { return .answered }
        let text = String(decoding: body, as: UTF8.self)
        return .failed(text.contains(#""resource_exhausted""#) ? "RESOURCE_EXHAUSTED" : "\(status) \(text)")
    }
}

extension ByteBuffer {
    /// The same message with an unknown field that makes it as long as wanted.
    fileprivate func filled(to byteCount: Int) -> ByteBuffer {
        // The field 2,047 with a length of four bytes, which may be written in more than it needs.
        var message = self
        let rest = byteCount - readableBytes - 6
        message.writeBytes([0xFA, 0x7F])
        for shift in [0, 7, 14] { message.writeInteger(UInt8(rest >> shift & 0x7F) | 0x80) }
        message.writeInteger(UInt8(rest >> 21))
        message.writeRepeatingByte(7, count: rest)
        return message
    }
}

// MARK: What the service stands on

/// Takes every picture.
private struct AnyPicture: PictureCheck {
    func problem(with picture: Picture) async -> String? { nil }
}
