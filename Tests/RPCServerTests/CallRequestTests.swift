import NIOCore
import RPCCore
import Testing

@testable import RPCServer

/// The deadlines of requests.
@Suite struct CallRequestTests {
    private static let now = NIODeadline.uptimeNanoseconds(100_000_000_000)
    private static let method = RPCMethod(name: "Get", kind: .unary) { _ throws(RPCError) in .end }

    private func deadline(timeout: TimeAmount, arrivedAt: NIODeadline?) throws(RPCError) -> NIODeadline? {
        let request = CallRequest(
            method: Self.method,
            payload: ByteBuffer(),
            timeoutNanoseconds: timeout.nanoseconds,
            arrivedAt: arrivedAt,
            wantsStream: false
        )
        return try request.deadline(unaryTimeout: .seconds(10), now: Self.now)
    }

    @Test func theTimeoutOfACallerBeginsWithTheArrival() throws {
        #expect(try deadline(timeout: .seconds(5), arrivedAt: nil) == Self.now + .seconds(5))
        #expect(try deadline(timeout: .seconds(5), arrivedAt: Self.now - .seconds(3)) == Self.now + .seconds(2))
        #expect(throws: RPCError.deadlineExceeded) {
            try deadline(timeout: .seconds(5), arrivedAt: Self.now - .seconds(5))
        }
    }

    @Test func theServersOwnLimitBeginsWithTheCall() throws {
        #expect(try deadline(timeout: .zero, arrivedAt: Self.now - .seconds(3)) == Self.now + .seconds(10))
    }
}
