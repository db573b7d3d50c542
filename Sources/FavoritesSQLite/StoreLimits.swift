internal import MarvelDomain

/// How much a store may hold.
struct StoreLimits: Sendable {
    static let capacities = 1...100

    /// Favorites a list, 1 to 100.
    var capacity = 5
    var maximumLists = 100_000
    var answers = AnswerRetention()
    /// The last ones of each list are kept, so that who follows it can go on where it was.
    var changesPerList: Int64 = 1_000
    /// The bytes of all changes that are kept: 1 GiB. When there are more, the longest logs lose their oldest changes.
    var logBytes: Int64 = 1 << 30
    var inbox = InboxLimits()

    var rules: ListRules { ListRules(capacity: capacity, maximumLists: maximumLists) }

    /// Names of deleted lists that are kept, so that a list of such a name goes on counting.
    var maximumDeletedNames: Int { 10 * min(maximumLists, .max / 10) }

    func validate() throws(FavoritesStoreOpenError) {
        guard StoreLimits.capacities.contains(capacity) else {
            throw FavoritesStoreOpenError(
                code: .invalidSetting,
                message: "the capacity of a list is \(capacity), and must be 1 to 100"
            )
        }
        guard maximumLists >= 1 else {
            throw FavoritesStoreOpenError(
                code: .invalidSetting,
                message: "the maximum number of lists is \(maximumLists), and must be at least 1"
            )
        }
    }
}

/// The amount of the past that a store keeps, as an operator sets it.
package struct StoreRetention: Sendable, Hashable {
    /// Answers to requests, in the whole store; more only while they are younger than two minutes.
    package var answers: Int64
    /// The last changes of each list.
    package var changesPerList: Int64

    package init(answers: Int64 = 1_000_000, changesPerList: Int64 = 1_000) {
        self.answers = answers
        self.changesPerList = changesPerList
    }
}

extension StoreLimits {
    init(capacity: Int, maximumLists: Int, retention: StoreRetention) {
        self.init(capacity: capacity, maximumLists: maximumLists)
        answers.maximumCount = retention.answers
        changesPerList = retention.changesPerList
    }
}

/// How long the answers to requests are kept, so that a request sent again gets the answer it got.
struct AnswerRetention: Sendable {
    /// 7 days.
    var maximumAge: Int64 = 7 * 24 * 60 * 60
    /// In the whole store; more only while they are younger than `minimumAge`.
    var maximumCount: Int64 = 1_000_000
    /// In seconds; a client stops sending again before that.
    var minimumAge: Int64 = 2 * 60
}

/// How many toggles may wait for the disk, and how long.
struct InboxLimits: Sendable {
    /// One that comes when so many wait is refused.
    var maximumCount = 16_384
    /// In one transaction. More would make the first wait for the last.
    var maximumGroup = 1_024
    /// One that has waited longer is refused instead of begun: its caller is about to leave, or has left.
    var maximumWait = Duration.seconds(5)
}
