/// How much a store may hold.
struct StoreLimits: Sendable {
    static let capacities = 1...100

    /// Favorites a list, 1 to 100.
    var capacity = 5
    var maximumLists = 100_000
    var answers = AnswerRetention()

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

/// How long the answers to requests are kept, so that a request sent again gets the answer it got.
struct AnswerRetention: Sendable {
    /// 7 days.
    var maximumAge: Int64 = 7 * 24 * 60 * 60
    /// In the whole store; more only while they are younger than `minimumAge`.
    var maximumCount: Int64 = 1_000_000
    /// In seconds; a client stops sending again before that.
    var minimumAge: Int64 = 2 * 60
}
