import RPCCore
import Testing

@Suite struct ServerEventTests {
    @Test func eachRefusalIsCountedApart() {
        let refusals: [Refusal] = [
            .evenStreamID, .reusedStreamID, .reservedStreamID, .inactiveStream, .unexpectedData,
            .frameTooLarge(byteCount: 2, maximum: 1), .streamLimit(1), .draining,
        ]
        #expect(Set(refusals.map { ServerEvent($0) }).count == refusals.count)
        #expect(ServerEvent(.streamLimit(1)) == ServerEvent(.streamLimit(2)), "whatever its numbers are")
    }

    @Test func eachInterruptionIsCountedApart() {
        let interruptions: [CallInterruption] = [
            .deadlineExceeded, .creditTimeout(after: .seconds(1)), .inputClosed, .draining,
            .accessEnded(RPCError(.unauthenticated, "")),
        ]
        #expect(Set(interruptions.map { ServerEvent($0) }).count == interruptions.count)
    }

    @Test func eachEndOfAConnectionIsCountedAndToldApart() {
        let limit = Duration.seconds(1)
        let errors: [ConnectionError] = [
            .notThisProtocol(.http), .notThisProtocol(.tls), .notThisProtocol(.unknown), .frameTimeout(after: limit),
            .writeTimeout(after: limit), .keepaliveTimeout(after: limit), .idleTimeout(after: limit),
            .tooMany(.cancels, limit: 1), .tooMany(.faults, limit: 1), .tooMany(.glitches, limit: 1),
            .tooMany(.controlFrames, limit: 1), .connectionLimit(1), .malformedHello,
            .memoryLimit,
        ]
        #expect(Set(errors.map { ServerEvent($0) }).count == errors.count)
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(Set(errors.map(\.reason)).count == errors.count - 2, "foreign protocols share one")
    }

    @Test func countersAreNumberedWithoutGaps() {
        #expect(ServerEvent.allCases.map(\.rawValue) == Array(0..<ServerEvent.allCases.count))
    }
}
