/// A budget that keeps retries from multiplying the load on a failing service. (gRFC A6, "Throttling Retry Attempts")
///
/// It holds ten tokens. A failure takes one token, a success gives back a tenth, and at five tokens or fewer nothing is
/// retried. So a service that fails for all its callers gets each call once, and calls to one that fails now and then
/// are retried.
package struct RetryBudget: Sendable, Hashable {
    // In tenths of a token, so that a hundred successes are exactly ten tokens.
    private static let maximum = 100
    private static let failure = 10
    private static let success = 1

    private var tenths = Self.maximum

    package init() {}

    package var allowsRetry: Bool { tenths > Self.maximum / 2 }

    /// Notes that a call failed in a way that could be retried, or that a connection was lost with its calls.
    package mutating func failed() {
        tenths = max(tenths - Self.failure, 0)
    }

    package mutating func succeeded() {
        if tenths < Self.maximum { tenths += Self.success }
    }
}
