/// Keeps repeats from making an overload worse: while more calls fail than a few, none is repeated. (gRFC A6, "Throttling
/// Retry Attempts and Hedged RPCs")
package struct RetryBudget: Sendable, Hashable {
    package static let maximumTokens = 10.0
    private static let tokensForSuccess = 0.1

    private var tokens = RetryBudget.maximumTokens

    package init() {}

    /// A call failed in a way that could be repeated.
    ///
    /// - Returns: Whether it may be.
    package mutating func callFailed() -> Bool {
        tokens = max(tokens - 1, 0)
        return tokens > RetryBudget.maximumTokens / 2
    }

    package mutating func callSucceeded() {
        tokens = min(tokens + RetryBudget.tokensForSuccess, RetryBudget.maximumTokens)
    }
}
