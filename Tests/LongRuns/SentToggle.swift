package import CrashTestChecks
package import MarvelClient

/// A toggle on its way.
package struct SentToggle: Sendable {
    package let requestID: RequestID
    package let list: ListName
    package let characterID: Int64
    package let wish: AnsweredToggle.Wish
    package let sent = Self.now()

    package init(_ requestID: RequestID, list: ListName, characterID: Int64, wish: AnsweredToggle.Wish) {
        self.requestID = requestID
        self.list = list
        self.characterID = characterID
        self.wish = wish
    }

    package func answered(_ answer: ToggleResult) -> AnsweredToggle {
        AnsweredToggle(requestID, wish, characterID, sent: sent, answered: Self.now(), answer: answer)
    }

    private static let begin = ContinuousClock.now

    /// In nanoseconds, since the first of these.
    private static func now() -> Int64 { Int64((ContinuousClock.now - begin) / .nanoseconds(1)) }
}

extension MarvelClient {
    package func send(_ toggle: SentToggle, timeout: Duration) async throws(RPCError) -> ToggleResult {
        try await toggleFavorite(
            toggle.characterID,
            desired: DesiredFavorite(toggle.wish),
            list: toggle.list,
            requestID: toggle.requestID,
            timeout: timeout
        )
    }
}

extension DesiredFavorite {
    fileprivate init(_ wish: AnsweredToggle.Wish) {
        switch wish {
        case .toggle: self = .toggle
        case .saved: self = .saved
        case .removed: self = .removed
        }
    }
}
