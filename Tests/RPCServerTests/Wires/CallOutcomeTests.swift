import NIOCore
import RPCCore
import Testing

@testable import RPCServer

/// The same calls over every wire: what a caller gets does not depend on how it comes.
@Suite(.timeLimit(.minutes(10)))
struct CallOutcomeTests {
    struct Case: CustomTestStringConvertible {
        var call: Call
        /// The numbers of bytes of the messages.
        var sizes: [Int] = []
        var error: RPCError?

        init(_ call: Call, _ sizes: [Int]) { (self.call, self.sizes) = (call, sizes) }
        init(_ call: Call, _ error: RPCError) { (self.call, self.error) = (call, error) }

        var testDescription: String { "\(call.path.method) \(call.request.readableBytes) \(call.metadata.count)" }
    }

    static let cases = [
        Case(Call("Echo"), [0]),
        Case(Call("Echo", ByteBuffer(bytes: [1])), [1]),
        Case(Call("Echo", ByteBuffer(repeating: 1, count: 200_000)), [200_000]),
        Case(Call("Echo", ByteBuffer(bytes: [1]), [("x-key", "v"), ("x-key", "w")]), [1]),
        Case(Call("Metadata"), [0]),
        // x-key=v, x-key=w and x-other=, each with its end.
        Case(Call("Metadata", [("x-key", "v"), ("x-key", "w"), ("x-other", "")]), [8 + 8 + 9]),
        Case(Call("Echo", ByteBuffer(repeating: 1, count: 200_001)), .requestTooLarge(maximum: 200_000)),
        Case(.count(3, size: 9), [9, 9, 9]),
        Case(.count(0, size: 0), []),
        Case(.count(1_024, size: 256), [Int](repeating: 256, count: 1_024)),
        Case(.count(2, size: 131_072), [131_072, 131_072]),
        Case(
            Call("Fail"),
            RPCError(.notFound, reason: .characterNotFound, "there is no %é", metadata: ["id": "7"])
        ),
        Case(Call("Hold", timeout: .milliseconds(30)), .deadlineExceeded),
        Case(
            Call("Nothing"),
            RPCError(
                .unimplemented,
                reason: .methodUnknown,
                "unknown method of the service test.v1.Test",
                metadata: ["service": "test.v1.Test"]
            )
        ),
    ]

    @Test(arguments: cases, Wire.calls)
    func aCallHasTheSameOutcomeOverEveryWire(_ wanted: Case, over wire: Wire) async throws {
        try await wire.run { _, _, peer in
            let answer = try await peer.call(wanted.call)
            #expect(answer.isEnded)
            #expect(answer.byteCounts == wanted.sizes)
            #expect((answer.error?.code, answer.error?.message) == (wanted.error?.code, wanted.error?.message))
            #expect(answer.error?.info == wanted.error?.info)
        }
    }
}
