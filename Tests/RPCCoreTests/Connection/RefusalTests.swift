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

    @Test(arguments: [
        (Refusal.streamLimit(128), Duration.milliseconds(100)), (.draining, .seconds(1)),
    ])
    func temporaryFailuresHaveARetryDelay(_ refusal: Refusal, _ delay: Duration) {
        #expect(refusal.error.retryDelay == delay)
    }
}
