import Testing

@testable import RPCCore

@Suite struct TokenFailuresTests {
    @Test func anAddressIsSlowedDownAfterABurst() {
        var failures = TokenFailures()
        func isSlowedDown(_ address: UInt32, at now: Double) -> Bool { failures.failed(.ipv4(address), now: now * 1e9) }
        for _ in 0..<TokenFailures.burst { #expect(!isSlowedDown(1, at: 0)) }
        #expect(isSlowedDown(1, at: 0))
        #expect(!isSlowedDown(2, at: 0))
        // A tenth of a second later there is room for one.
        #expect(!isSlowedDown(1, at: 0.11))
        #expect(isSlowedDown(1, at: 0.12))
        #expect(!isSlowedDown(1, at: 60))
    }

    @Test func theMemoryIsLimited() {
        var failures = TokenFailures()
        for number in 0..<20_000 {
            _ = failures.failed(.ipv4(UInt32(number)), now: Double(number))
            #expect(failures.addressCount <= TokenFailures.maximumAddresses)
        }
    }
}
