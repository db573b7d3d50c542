/// The faults that a gateway injects on purpose, for tests of clients. There are none by default.
package struct FaultInjection: Sendable, Hashable {
    package var latency = LatencyRange.none
    package var errorShare = Ratio.none
    package var errorStatuses = defaultErrorStatuses
    /// The share of responses whose connection is closed in the middle of the body.
    package var cutShare = Ratio.none
    /// The share of responses with status 200 whose body is not JSON of the contract.
    package var wrongJSONShare = Ratio.none
    /// The random seed. Two gateways with the same seed inject the same fault into the n-th request.
    package var seed: UInt64 = 0

    static let defaultErrorStatuses = [500, 502, 503, 504]

    /// The reason why these settings are impossible; nil if they are possible.
    package var contradiction: String? {
        let sum = errorShare.value + cutShare.value + wrongJSONShare.value
        if sum > 1 { return "the rates of errors, cut answers and wrong JSON add up to \(sum), maximum is 1" }
        if let status = errorStatuses.first(where: { FailurePage.reasons[$0] == nil }) {
            return "\(status) is not a supported error status: use 500, 502, 503 or 504"
        }
        if errorStatuses.isEmpty { return "set an error status" }
        return nil
    }
}
