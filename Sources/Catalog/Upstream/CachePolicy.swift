/// For how long an answer of a gateway may be given again without asking.
package struct CachePolicy: Sendable, Hashable {
    /// 24 hours is what Marvel's terms allowed (MARVEL_API section 8). 0: each answer is checked with the gateway.
    package var timeToLive: Duration
    /// Of answers that say that there is nothing: what is missing may be added.
    package var negativeTimeToLive: Duration
    /// How long a caller waits for the gateway when there is something older to give it. The gateway is not given up by
    /// that: what it answers is kept for the next caller.
    package var patience: Duration

    package init(
        timeToLive: Duration = .seconds(24 * 3_600),
        negativeTimeToLive: Duration = .seconds(600),
        patience: Duration = .seconds(1)
    ) {
        self.timeToLive = timeToLive
        self.negativeTimeToLive = negativeTimeToLive
        self.patience = patience
    }

    /// - Parameters:
    ///   - moment: When the answer came.
    ///   - isNegative: Whether it says that there is nothing.
    ///   - now: The time.
    /// - Returns: Whether it can be given again. What comes from the future, from before the clock was set right, cannot.
    package func isFresh(from moment: Moment, isNegative: Bool = false, at now: Moment) -> Bool {
        let limit = isNegative ? min(negativeTimeToLive, timeToLive) : timeToLive
        return moment <= now && now - moment < limit
    }
}
