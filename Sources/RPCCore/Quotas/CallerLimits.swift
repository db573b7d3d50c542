package struct CallerLimits: Sendable, Hashable {
    package var callsPerSecond: Int
    package var callBurst: Int
    /// Of requests, above which less is read; 0 for no limit.
    package var bytesPerSecond: Int

    package init(callsPerSecond: Int, callBurst: Int, bytesPerSecond: Int) {
        self.callsPerSecond = callsPerSecond
        self.callBurst = callBurst
        self.bytesPerSecond = bytesPerSecond
    }

    package static let named = CallerLimits(callsPerSecond: 500, callBurst: 1_000, bytesPerSecond: 4 << 20)
    /// For an address without named callers.
    package static let anonymous = CallerLimits(callsPerSecond: 20, callBurst: 60, bytesPerSecond: 256 << 10)

    /// The maximum of consecutive refused calls. Above it a connection is closed, because its client ignores refusals.
    package static let rejections = (count: 200, window: Duration.seconds(30))
}

/// The limits of callers by kind. The server itself, and callers on its machine, have no limits.
package struct CallerQuotas: Sendable, Hashable {
    package var named = CallerLimits.named
    package var anonymous = CallerLimits.anonymous

    package init() {}
}

/// The maximum of concurrent uses of a resource, for each kind of caller.
package struct CallerShares: Sendable, Hashable {
    private let named: Int
    private let anonymous: Int

    /// 0 sets no limit.
    package init(named: Int, anonymous: Int) {
        self.named = named
        self.anonymous = anonymous
    }

    package static let unlimited = CallerShares(named: 0, anonymous: 0)

    package func maximum(of caller: CallerID) -> Int {
        let maximum =
            switch caller.kind {
            case .server, .local: 0
            case .named: named
            case .anonymous: anonymous
            }
        return maximum == 0 ? .max : maximum
    }
}
