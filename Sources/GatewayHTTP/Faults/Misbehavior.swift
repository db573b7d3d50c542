/// How a gateway misbehaves on purpose, for tests of clients. Nothing by default.
package struct Misbehavior: Sendable, Hashable {
    /// Each answer waits for a time out of this range.
    package var latency: LatencyRange
    /// The share of answers that are a page of HTML with one of `errorStatuses`.
    package var errorShare: Share
    /// One of them is drawn for each such answer.
    package var errorStatuses: [Int]
    /// The share of answers whose connection ends in the middle of the body.
    package var cutShare: Share
    /// The share of answers that are 200, and no JSON of the contract.
    package var wrongJSONShare: Share
    /// Two gateways with one seed misbehave alike: the n-th request meets the same fault.
    package var seed: UInt64

    package static let defaultErrorStatuses = [500, 502, 503, 504]

    package init(
        latency: LatencyRange = .none,
        errorShare: Share = .none,
        errorStatuses: [Int] = defaultErrorStatuses,
        cutShare: Share = .none,
        wrongJSONShare: Share = .none,
        seed: UInt64 = 0
    ) {
        self.latency = latency
        self.errorShare = errorShare
        self.errorStatuses = errorStatuses
        self.cutShare = cutShare
        self.wrongJSONShare = wrongJSONShare
        self.seed = seed
    }

    /// Nil, or why no gateway can behave so.
    package var contradiction: String? {
        let sum = errorShare.value + cutShare.value + wrongJSONShare.value
        if sum > 1 { return "the shares of errors, cut answers and wrong JSON are \(sum) together, more than 1" }
        if let status = errorStatuses.first(where: { FailurePage.reasons[$0] == nil }) {
            return "\(status) is no error to answer with: expected 500, 502, 503 or 504"
        }
        if errorStatuses.isEmpty { return "there is no status to answer errors with" }
        return nil
    }
}
