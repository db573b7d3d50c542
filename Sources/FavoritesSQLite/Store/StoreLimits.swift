internal import FavoritesEngine
internal import MarvelDomain

struct StoreLimits: Sendable {
    /// The maximum of favorites on a list, 1 to 100.
    var capacity = 5
    var maximumLists = 100_000
    /// For an owner with a name; 0 sets no limit.
    var maximumListsPerOwner = 100
    var retention = StoreRetention()
    /// The maximum of all kept changes: 1 GiB. Above it the oldest changes are deleted.
    var logBytes: Int64 = 1 << 30
    var inbox = InboxLimits()

    var engine: FavoritesEngine.Settings {
        var settings = FavoritesEngine.Settings()
        settings.rules = ListRules(
            capacity: capacity,
            maximumLists: maximumLists,
            maximumListsPerOwner: maximumListsPerOwner
        )
        return settings
    }

    /// The maximum of names of deleted lists. They are kept so that a new list of such a name continues its revisions.
    var maximumDeletedNames: Int { 10 * min(maximumLists, .max / 10) }

    func validate() throws(FavoritesStoreOpenError) {
        guard ListRules.capacities.contains(capacity) else {
            throw FavoritesStoreOpenError("the capacity of a list is \(capacity); it must be 1 to 100")
        }
    }
}

package struct StoreRetention: Sendable, Hashable {
    /// The answers to requests, in the whole store; there are more only for two minutes.
    package var answers: Int64
    /// The last changes of each list.
    package var changesPerList: Int64

    package init(answers: Int64 = 1_000_000, changesPerList: Int64 = 1_000) {
        self.answers = answers
        self.changesPerList = changesPerList
    }
}
