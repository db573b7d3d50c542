import RPCCore
import Testing

@Suite struct RPCErrorTests {
    @Test func anErrorIsDescribedByItsCodeAndMessage() {
        #expect(RPCError(.notFound, "no character has the id 7").description == "NOT_FOUND: no character has the id 7")
    }

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

    @Test func detailsAreFoundAmongOthers() {
        let other = ErrorDetail.other(typeURL: "type.googleapis.com/google.rpc.Help", value: [1, 2])
        let error = RPCError(
            .unavailable,
            "later",
            details: [other, .badRequest([]), .retryInfo(.seconds(2)), .errorInfo(ErrorInfo(reason: .draining))],
            origin: .peer
        )
        #expect(error.reason == .draining)
        #expect(error.retryDelay == .seconds(2))
        #expect(error.origin == .peer)
    }
}
