internal import Catalog
internal import CrashTestChecks
internal import MarvelClient
package import MarvelDomain

/// The choices of clients that toggle.
package struct ToggleChoices: Sendable {
    package let seed: UInt64
    package let lists: [ListName]
    /// More than a list holds, so that saving evicts; few, so that clients meet at the same ones.
    package let characterIDs: [Int64]
    /// The maximum of one client in one cycle: all together stay below the number of changes that a list's log keeps.
    package let maximumToggles: Int

    package init(seed: UInt64, lists: Int, clients: Int) {
        self.seed = seed
        self.lists = (1...lists).compactMap { ListName("crash-\($0)") }
        characterIDs = BuiltInCatalog.characters().prefix(12).map(\.id)
        maximumToggles = max(1, 900 * lists / clients)
    }

    /// - Parameters:
    ///   - name: Tells this toggle from all others of the run.
    ///   - random: Decides the rest.
    /// - Returns: The toggle, to be sent now.
    package func toggle(_ name: String, using random: inout SplitMix64) -> SentToggle {
        guard let requestID = RequestID("\(String(seed, radix: 16))-\(name)"),
            let list = lists.randomElement(using: &random),
            let characterID = characterIDs.randomElement(using: &random),
            let wish = AnsweredToggle.Wish.allCases.randomElement(using: &random)
        else { preconditionFailure("there is nothing to choose from, or \(name) is no name") }
        return SentToggle(requestID, list: list, characterID: characterID, wish: wish)
    }
}
