import RPCCore
import Testing

/// The errors that refused callers get.
@Suite struct RefusalTests {
    @Test(arguments: [
        (Refusal.evenStreamID, StatusCode.invalidArgument, ErrorReason.streamIDEven),
        (.reusedStreamID, .invalidArgument, .streamIDReused),
        (.reservedStreamID, .invalidArgument, .streamIDReserved),
        (.inactiveStream, .invalidArgument, .streamInactive),
        (.unexpectedData, .invalidArgument, .unexpectedData),
        (.frameTooLarge(byteCount: 2, maximum: 1), .resourceExhausted, .messageTooLarge),
        (.streamLimit(128), .resourceExhausted, .streamLimit),
        (.draining, .unavailable, .draining),
    ])
    func aRefusalIsAStatusWithAReason(_ refusal: Refusal, _ code: StatusCode, _ reason: ErrorReason) {
        #expect(refusal.error.code == code)
        #expect(refusal.error.reason == reason)
    }

    @Test func theErrorForALongFrameHasItsLengthAndTheMaximum() {
        let error = Refusal.frameTooLarge(byteCount: 5_242_880, maximum: 4_194_304).error
        #expect(error.message == "message has 5242880 bytes, maximum is 4194304")
    }

    @Test(arguments: [
        (Refusal.streamLimit(128), Duration.milliseconds(100)), (.draining, .seconds(1)),
    ])
    func temporaryFailuresHaveARetryDelay(_ refusal: Refusal, _ delay: Duration) {
        #expect(refusal.error.retryDelay == delay)
    }
}
