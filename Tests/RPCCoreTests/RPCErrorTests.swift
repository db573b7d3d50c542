import RPCCore
import Testing

@Suite struct RPCErrorTests {
    @Test func aReasonTravelsAsErrorInfoAheadOfOtherDetails() {
        let error = RPCError(
            .resourceExhausted,
            reason: .streamLimit,
            "128 calls are open",
            metadata: ["maximum": "128"],
            details: [.retryInfo(.milliseconds(100))]
        )
        let info = ErrorInfo(reason: .streamLimit, domain: "marvel-rpc", metadata: ["maximum": "128"])
        #expect(error.details == [.errorInfo(info), .retryInfo(.milliseconds(100))])
        #expect(error.reason == .streamLimit)
        #expect(error.retryDelay == .milliseconds(100))
    }
}
