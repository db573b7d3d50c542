import Foundation
import NIOCore
import NIOHPACK
import RPCCore
import Testing

@testable import HTTPFraming

/// The rules of gRPC's headers and messages, by tables.
struct GRPCRulesTests {
    // MARK: Timeouts

    @Test(arguments: [
        ("1n", 1), ("1u", 1_000), ("1m", 1_000_000), ("1S", 1_000_000_000), ("1M", 60_000_000_000),
        ("1H", 3_600_000_000_000), ("99999999n", 99_999_999), ("007S", 7_000_000_000), ("0S", -1), ("00000000n", -1),
        ("99999999H", Int64.max),
    ])
    func aTimeoutHasDigitsAndAUnit(_ text: String, _ nanoseconds: Int64) {
        #expect(GRPCTimeout.nanoseconds(text) == nanoseconds)
    }

    @Test(arguments: ["", "S", "1", "1s", "1h", "123456789S", "-1S", "+1S", " 1S", "1 S", "1.5S", "1S ", "١S"])
    func anythingElseIsMalformed(_ text: String) {
        #expect(GRPCTimeout.nanoseconds(text) == nil)
    }

    // MARK: Status messages

    @Test(arguments: [
        ("", ""), ("plain ~ text", "plain ~ text"), ("50 %", "50 %25"), ("a\nb", "a%0Ab"), ("é", "%C3%A9"),
        ("\u{7F}", "%7F"), ("😀", "%F0%9F%98%80"),
    ])
    func aStatusMessageIsEscaped(_ text: String, _ encoded: String) {
        #expect(GRPCStatusMessage.encoded(text) == encoded)
        #expect(encoded.removingPercentEncoding == text)
    }

    // MARK: Heads

    private static let plain: HPACKHeaders = [
        ":method": "POST", ":scheme": "http", ":path": "/marvel.v1.MarvelService/SearchCharacters",
        ":authority": "localhost", "te": "trailers", "content-type": "application/grpc", "user-agent": "x",
    ]

    private func request(_ changes: KeyValuePairs<String, String>) -> RequestMeaning {
        let headers = Self.plain.changed(changes.map { ($0.key, $0.value) })
        return HTTPRules().read(headers, isLoopback: false, isHTTP2: true)
    }

    private func head(_ changes: KeyValuePairs<String, String>) throws -> CallHead {
        try #require(request(changes).call)
    }

    @Test func aHeadNamesAMethod() throws {
        let head = try head([
            "grpc-timeout": "2S", "grpc-encoding": "gzip", "grpc-accept-encoding": "identity, gzip",
            "x-request-id": "7",
        ])
        #expect(head.format == .grpc)
        #expect(head.path == "/marvel.v1.MarvelService/SearchCharacters")
        #expect(head.timeoutNanoseconds == 2_000_000_000)
        #expect((head.isGzip, head.acceptsGzip) == (true, true))
        #expect(head.metadata.pairs.map(\.key) == ["x-request-id"])
        #expect(head.metadata["x-request-id"] == "7")
        #expect(head.fault == nil)
    }

    @Test(arguments: ["application/grpc", "application/grpc+proto", "Application/GRPC", "application/grpc;a=b"])
    func theseContentTypesAreGRPC(_ type: String) throws {
        #expect(try head(["content-type": type]).format == .grpc)
    }

    @Test(arguments: ["application/grpc+json", "application/grpc-web", "", "text/plain"])
    func otherContentTypesAreUnsupported(_ type: String) {
        #expect(request(["content-type": type]).status == "415")
    }

    @Test(arguments: ["", "/", "/a", "/a/", "//b", "a/b", "/a/b/c", "/a/b/"])
    func aPathHasAServiceAndAMethod(_ path: String) { #expect(MethodPath(httpPath: path) == nil) }

    @Test func aPathNamesAMethod() {
        #expect(MethodPath(httpPath: "/a.B/C") == MethodPath(service: "a.B", method: "C"))
    }

    @Test func aMalformedTimeoutIsAnInternalError() throws {
        let fault = try head(["grpc-timeout": "soon"]).fault
        #expect((fault?.code, fault?.reason) == (.internalError, .requestMalformed))
    }

    @Test func anUnknownEncodingIsUnimplemented() throws {
        let text = String(repeating: "%", count: 10_000)
        let fault = try #require(try head(["grpc-encoding": text]).fault)
        #expect((fault.code, fault.reason) == (.unimplemented, .encodingUnsupported))
        #expect(!fault.message.contains("%"), "the caller's text is not repeated")
    }

    @Test(arguments: [
        ("identity", false), ("Identity", false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
    ])
    func anEncodingIsReadInAnyCase(_ name: String, _ isGzip: Bool) throws {
        for header in ["grpc-encoding", "content-encoding"] {
            let type = header == "grpc-encoding" ? "application/grpc" : "application/proto"
            let head = try head([header: name, "content-type": type])
            #expect((head.fault, head.isGzip) == (nil, isGzip))
        }
    }

    // MARK: Messages

    /// Returns the messages that a reader cuts from bytes, which arrive in parts.
    private func messages(_ bytes: [UInt8], parts: Int, maximum: Int = 10, gzip: Bool = false) throws -> [[UInt8]] {
        var reader = EnvelopeReader(maximumByteCount: maximum, acceptsCompressed: gzip)
        var messages: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: parts) {
            reader.append(ByteBuffer(bytes: bytes[start..<min(start + parts, bytes.count)]))
            while let message = try reader.next() { messages.append(Array(message.bytes.readableBytesView)) }
        }
        #expect(reader.isBetweenMessages)
        return messages
    }

    @Test(arguments: 1...17)
    func messagesAreCutFromPartsOfAnySize(_ parts: Int) throws {
        let bytes: [UInt8] = [0, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9]
        #expect(try messages(bytes, parts: parts) == [[1, 2, 3], [], [9]])
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0, 2, 7, 8], [7, 8]), ([0, 0, 0, 0, 0], []), ([1, 0, 0, 0, 2, 7, 8], nil),
            ([0, 0, 0, 0, 3, 7, 8], nil),
            ([0, 0, 0, 0, 1, 7, 8], nil), ([0, 0, 0, 0], nil), ([], nil), ([0, 255, 255, 255, 255, 7], nil),
        ] as [([UInt8], [UInt8]?)]
    )
    func theOnlyMessageIsTakenWithoutAReader(bytes: [UInt8], message: [UInt8]?) {
        var read = ByteBuffer(bytes: [9] + bytes)
        read.moveReaderIndex(forwardBy: 1)
        #expect(EnvelopeReader.onlyMessage(of: read).map { Array($0.readableBytesView) } == message)
    }

    @Test func anInvalidPrefixIsRefusedImmediately() {
        func code(_ bytes: [UInt8], gzip: Bool = false) -> StatusCode? {
            var reader = EnvelopeReader(maximumByteCount: 10, acceptsCompressed: gzip)
            reader.append(ByteBuffer(bytes: bytes))
            do throws(RPCError) {
                _ = try reader.next()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code([0, 0, 0, 0, 10]) == nil)
        #expect(code([0, 0, 0, 0, 11]) == .resourceExhausted)
        #expect(code([0, 255, 255, 255, 255]) == .resourceExhausted)
        #expect(code([1, 0, 0, 0, 1]) == .internalError)
        #expect(code([1, 0, 0, 0, 1], gzip: true) == nil)
        #expect(code([2, 0, 0, 0, 1], gzip: true) == .internalError)
    }

    @Test func aReaderKnowsWhatIsMissing() throws {
        var reader = EnvelopeReader(maximumByteCount: 100, acceptsCompressed: false)
        #expect(reader.missingByteCount == 0)
        reader.append(ByteBuffer(bytes: [0, 0, 0, 0, 100, 1]))
        #expect(try reader.next()?.bytes == nil)
        #expect((reader.missingByteCount, reader.isBetweenMessages) == (99, false))
    }

    /// If a part of the next message is always there, the storage has no moment at which it is empty.
    @Test func readBytesAreNotBuffered() throws {
        var reader = EnvelopeReader(maximumByteCount: 100, acceptsCompressed: false)
        let message: [UInt8] = [0, 0, 0, 0, 2, 7, 7]
        reader.append(ByteBuffer(bytes: message.prefix(1)))
        for _ in 0..<10_000 {
            reader.append(ByteBuffer(bytes: message.dropFirst() + message.prefix(1)))
            #expect(try reader.next()?.bytes.readableBytes == 2)
            #expect(try reader.next()?.bytes == nil)
            #expect(reader.byteCount <= 1_024)
        }
    }

    /// A few bytes of a large read do not keep all of it.
    @Test func aPartOfAMessageDoesNotKeepTheBytesOfOthers() throws {
        var reader = EnvelopeReader(maximumByteCount: 100, acceptsCompressed: false)
        var read = ByteBuffer(repeating: 0, count: 64 * 1024)
        let first = read.readSlice(length: 4)
        reader.append(try #require(first))
        #expect(reader.byteCount == read.storageCapacity)
        #expect(try reader.next()?.bytes == nil)
        #expect((1...16).contains(reader.byteCount))
    }

    // MARK: Answers

    @Test func trailersHaveTheStatusAndItsDetails() throws {
        let error = RPCError(.invalidArgument, reason: .queryTooShort, "query is \"é\"")
        let trailers = GRPCResponseHeaders.trailersOnly(error)
        #expect(trailers.first(name: ":status") == "200")
        #expect(trailers.first(name: "grpc-status") == "3")
        #expect(trailers.first(name: "grpc-message") == "query is \"%C3%A9\"")
        #expect(trailers.contains(name: "grpc-status-details-bin"))
        let large = RPCError(
            .internalError,
            reason: .queryTooShort,
            "x",
            metadata: ["x": String(repeating: "x", count: 9_000)]
        )
        #expect(!GRPCResponseHeaders.trailers(large).contains(name: "grpc-status-details-bin"))
    }

    /// A message that is written with three letters for each byte, and one with details of half the limit.
    @Test(arguments: [
        RPCError(.unknown, reason: .requestMalformed, String(repeating: "%", count: 10_000)),
        RPCError(.unknown, reason: .requestMalformed, String(repeating: "é", count: 10_000)),
        RPCError(.unknown, reason: .requestMalformed, String(repeating: "x", count: 4_000)),
        RPCError(.unimplemented, reason: .requestMalformed, "", metadata: ["x": String(repeating: "x", count: 5_500)]),
    ])
    func trailersHaveALimit(_ error: RPCError) {
        for trailers in [GRPCResponseHeaders.trailers(error), GRPCResponseHeaders.trailersOnly(error)] {
            let byteCount = trailers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
            #expect((4_000...8_192).contains(byteCount))
            let message = trailers.first(name: "grpc-message")?.removingPercentEncoding
            #expect(message.map(error.message.hasPrefix) == true, "it is cut between two characters")
        }
    }

    @Test(arguments: [("%%", 5, "%25"), ("aé", 6, "a"), ("aé", 7, "a%C3%A9"), ("abc", 2, "ab"), ("😀", 11, "")])
    func aStatusMessageMayBeCut(_ text: String, _ maximum: Int, _ encoded: String) {
        #expect(GRPCStatusMessage.encoded(text, maximumByteCount: maximum) == encoded)
    }
}

extension RequestMeaning {
    var call: CallHead? {
        guard case .call(let head) = self else { return nil }
        return head
    }

    /// The HTTP status of a request that is no call.
    var status: String? {
        guard case .answered(let answer, _) = self else { return nil }
        return answer.headers.first(name: ":status")
    }
}
