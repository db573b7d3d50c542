/// Keeps retries from multiplying the load on a service that is failing. (gRFC A6, "Throttling Retry Attempts")
///
/// Ten tokens; a failure takes one, a success gives a tenth back, and at half of them or less nothing is retried. A
/// service that fails for all its callers so gets each call once; one that fails now and then is asked again.
package struct RetryBudget: Sendable, Hashable {
    // In tenths of a token, so that a hundred successes are exactly ten tokens.
    private static let maximum = 100
    private static let failure = 10
    private static let success = 1

    private var tenths = Self.maximum

    package init() {}

    package var allowsRetry: Bool { tenths > Self.maximum / 2 }

    /// A call failed in a way that could be retried, or a connection was lost with its calls.
    package mutating func failed() {
        tenths = max(tenths - Self.failure, 0)
    }

    package mutating func succeeded() {
        if tenths < Self.maximum { tenths += Self.success }
    }
}
