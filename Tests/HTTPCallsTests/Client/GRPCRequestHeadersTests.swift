import NIOHPACK
import RPCCore
import Testing

@testable import HTTPCalls

/// The headers of calls: what this side writes, the server's side reads.
struct GRPCRequestHeadersTests {
    private static let method = MethodPath(service: "test.v1.Test", method: "Echo")

    private func headers(timeout: Int64? = nil, _ pairs: [(String, String)] = []) throws -> HPACKHeaders {
        var headers = GRPCRequestHeaders.headers(
            Self.method,
            authority: "localhost:1",
            software: "test",
            timeoutNanoseconds: timeout,
            indexing: .nonIndexable
        )
        var metadata = Metadata()
        for (key, value) in pairs { metadata.append(key, value) }
        try GRPCRequestHeaders.add(metadata, to: &headers)
        return headers
    }

    @Test func theServerReadsTheMethodTheTimeoutAndTheMetadata() throws {
        let headers = try headers(
            timeout: 250_000_000,
            [("x-request-id", "7"), ("Trace", "a b"), ("x-request-id", "8")]
        )
        let head = try #require(HTTPRules().read(headers, isLoopback: true, isHTTP2: true).call)
        #expect(head.fault == nil)
        #expect(MethodPath(httpPath: head.path) == Self.method)
        #expect(head.timeoutNanoseconds == 250_000_000)
        #expect(!head.isGzip)
        #expect(head.metadata.pairs.map(\.key) == ["x-request-id", "trace", "x-request-id"])
        #expect(head.metadata.pairs.map(\.value) == ["7", "a b", "8"])
        #expect(headers.first(name: "te") == "trailers")
        #expect(headers.first(name: ":authority") == "localhost:1")
        #expect(try self.headers().contains(name: "grpc-timeout") == false)
    }

    @Test(arguments: [
        (":path", "/x"), ("grpc-timeout", "1S"), ("te", "x"), ("Content-Type", "x"), ("connection", "x"), ("", "x"),
        ("a b", "x"), ("é", "x"), ("x", "é"), ("x", "a\nb"), ("x", "a\0"),
    ])
    func whatCannotBeAHeaderIsRefused(_ key: String, _ value: String) {
        let error = #expect(throws: RPCError.self) { try headers([(key, value)]) }
        #expect(error?.code == .invalidArgument)
    }

    private func headers(_ pairs: [(String, String)]) throws -> HPACKHeaders { try headers(timeout: nil, pairs) }

    @Test(
        arguments: [
            (-1, "1n"), (0, "1n"), (1, "1n"), (99_999_999, "99999999n"), (100_000_000, "100000u"),
            (100_000_001, "100001u"),
            (10_000_000_000, "10000000u"), (99_999_999_000, "99999999u"), (99_999_999_001, "100000m"),
            (Int64.max, "2562048H"),
        ] as [(Int64, String)]
    )
    func aTimeoutIsWrittenInTheSmallestUnit(_ nanoseconds: Int64, _ text: String) {
        #expect(GRPCTimeout.text(nanoseconds: nanoseconds) == text)
    }

    /// What is read is never shorter than what was meant, and longer by a unit at most.
    @Test func aTimeoutIsReadAsItWasMeant() throws {
        var nanoseconds: Int64 = 1
        while nanoseconds < Int64.max / 3 {
            for time in [nanoseconds - 1, nanoseconds, nanoseconds + 1] where time > 0 {
                let read = try #require(GRPCTimeout.nanoseconds(GRPCTimeout.text(nanoseconds: time)))
                #expect(read >= time)
                #expect(Double(read - time) <= Double(time) / 1_000)
            }
            nanoseconds = nanoseconds * 3 + 7
        }
    }
}
