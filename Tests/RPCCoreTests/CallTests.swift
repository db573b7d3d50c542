import NIOCore
import RPCCore
import Testing

@Suite struct CallTests {
    @Test func aMethodPathReadsAsServiceAndMethod() {
        #expect(
            MethodPath(service: "grpc.health.v1.Health", method: "Check").description == "grpc.health.v1.Health/Check"
        )
    }

    @Test func readyBytesAreAMessageOfTheirLength() {
        let message = EncodedMessage(ByteBuffer(bytes: [1, 2, 3]))
        var written = ByteBuffer(bytes: [0])
        written.write(byteCount: message.byteCount) { message.write(to: &$0) }
        #expect(message.byteCount == 3)
        #expect(written == ByteBuffer(bytes: [0, 1, 2, 3]))
        #expect(message.bytes == ByteBuffer(bytes: [1, 2, 3]), "what is written can be written again")
    }

    @Test func aLastMessageHasNothingBehindIt() throws {
        guard case .message(let message, then: nil) = Step.last(ByteBuffer(bytes: [7])) else {
            Issue.record("a last message is a message with nothing behind it")
            return
        }
        #expect(message.byteCount == 1)
    }

    @Test func aRequestMayHave64KibibytesUnlessItsMethodSaysOtherwise() {
        let method = Method(name: "Check", kind: .unary) { _ throws(RPCError) in .end }
        #expect(method.maximumRequestBytes == 65_536)
    }

    @Test func aStartupErrorReadsAsItsMessage() {
        #expect(StartupError(.addressInUse, "port 6160 is taken").description == "port 6160 is taken")
    }
}
