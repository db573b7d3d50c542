/// The limits of one caller, over all its connections.
package struct CallerLimits: Sendable, Hashable {
    /// The calls of each second; 0 sets no limit.
    package var callsPerSecond: Int
    /// The calls that may come together after a pause.
    package var callBurst: Int
    /// The bytes of requests of each second, above which less is read; 0 sets no limit.
    package var bytesPerSecond: Int

    package init(callsPerSecond: Int, callBurst: Int, bytesPerSecond: Int) {
        self.callsPerSecond = callsPerSecond
        self.callBurst = callBurst
        self.bytesPerSecond = bytesPerSecond
    }

    /// The limits of a caller with a name.
    package static let named = CallerLimits(callsPerSecond: 500, callBurst: 1_000, bytesPerSecond: 4 << 20)
    /// The limits of an address whose callers have no name.
    package static let anonymous = CallerLimits(callsPerSecond: 20, callBurst: 60, bytesPerSecond: 256 << 10)

    /// The refused calls, with none between them that began, above which a connection is closed: its client does not heed what
    /// it is told.
    package static let rejections = (count: 200, window: Duration.seconds(30))
}

/// The limits of callers by what is known of them. The server itself, and callers on its machine, have none.
package struct CallerQuotas: Sendable, Hashable {
    package var named = CallerLimits.named
    package var anonymous = CallerLimits.anonymous

    package init() {}
}

/// The maximum number of something that a caller of each kind may hold at once.
package struct CallerShares: Sendable, Hashable {
    private let named: Int
    private let anonymous: Int

    /// - Parameters:
    ///   - named: The maximum of a caller with a name; 0 sets no limit.
    ///   - anonymous: The maximum of an address whose callers have no name; 0 sets no limit.
    package init(named: Int, anonymous: Int) {
        self.named = named
        self.anonymous = anonymous
    }

    /// No limits.
    package static let unlimited = CallerShares(named: 0, anonymous: 0)

    /// Returns the maximum of a caller.
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
