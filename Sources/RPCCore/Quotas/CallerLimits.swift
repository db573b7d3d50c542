/// The quota of one caller, over all its connections.
public struct CallerLimits: Sendable, Hashable {
    /// 0 for no limit.
    public var callsPerSecond: Int
    /// The calls that a caller may make at once after a pause.
    public var callBurst: Int
    /// The bytes of requests above which the server reads more slowly; 0 for no limit.
    public var bytesPerSecond: Int

    public init(callsPerSecond: Int, callBurst: Int, bytesPerSecond: Int) {
        self.callsPerSecond = callsPerSecond
        self.callBurst = callBurst
        self.bytesPerSecond = bytesPerSecond
    }

    public static let named = CallerLimits(callsPerSecond: 500, callBurst: 1_000, bytesPerSecond: 4 << 20)
    /// For an address without named callers.
    public static let anonymous = CallerLimits(callsPerSecond: 20, callBurst: 60, bytesPerSecond: 256 << 10)

    /// The maximum of consecutive refused calls. Above it a connection is closed, because its client ignores refusals.
    package static let rejections = RateLimit(count: 200, window: .seconds(30))
}

/// The limits of callers by kind. The server itself, and callers on its machine, have no limits.
public struct CallerQuotas: Sendable, Hashable {
    /// For each name that a certificate or a token proves: 500 calls a second.
    public var named = CallerLimits.named
    /// For each address without names: 20 calls a second.
    public var anonymous = CallerLimits.anonymous

    public init() {}
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
