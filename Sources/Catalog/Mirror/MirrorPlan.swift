package import MarvelAPI
package import MarvelDomain

/// How far the copying of a gateway has come, and what is asked next. It is kept beside what was copied, so that it can
/// be gone on with.
///
///     whole copy:  all ──as many as the gateway says──▶ done
///                   └──more or fewer──▶ changes ──▶ count ──▶ done
///     refresh:     changes ──▶ count ──▶ done
package struct MirrorPlan: Sendable, Hashable, Codable {
    package enum Stage: String, Sendable, Hashable, Codable {
        /// Every character, in the order of names: the one order in which paging is complete (MARVEL_API section 3).
        case all
        /// Those that changed since a moment.
        case changes
        /// How many the gateway has.
        case count
        case done
    }

    package enum Step: Sendable, Hashable {
        case ask(MirrorQuestion)
        case finish
    }

    package static let pageLength = 100
    /// By how much `modifiedSince` looks further back than to the beginning of the last copy: clocks differ, and copies
    /// of a database lag.
    package static let margin: Int64 = 24 * 3_600
    /// A gateway whose total jumps about is not followed for ever.
    private static let maximumStepsBack = 20

    /// Its address, without keys.
    package let gateway: String
    /// Whether what an older copy has is brought up to date.
    package let isRefresh: Bool
    /// When the copying began, in seconds since 1970.
    package let startedAt: Int64
    /// The same, of what `modifiedSince` says.
    private let changesSince: Int64

    package private(set) var stage: Stage
    /// How many of the stage's entries were asked for.
    package private(set) var offset = 0
    /// How many the stage has, by the last answer.
    package private(set) var total: Int?
    /// How many characters the gateway has, by its last word.
    package private(set) var gatewayTotal: Int?
    /// How many characters the file has.
    package private(set) var stored: Int
    /// Of those, how many came with this copying, and how many were other before it.
    package private(set) var added = 0
    package private(set) var changed = 0
    /// Entries that are no character: without an id or a name.
    package private(set) var unreadable = 0
    /// Answers that were taken.
    package private(set) var answers = 0
    /// The line that must be shown with the data.
    package private(set) var attribution = ""
    private var stepsBack = 0
    package var pictures = MirrorPicturesProgress()

    /// A copy of everything.
    package init(copying gateway: String, startedAt: Timestamp) {
        self.gateway = gateway
        self.isRefresh = false
        self.startedAt = startedAt.seconds
        self.changesSince = startedAt.seconds - MirrorPlan.margin
        self.stage = .all
        self.stored = 0
    }

    /// What changed since an older copy.
    ///
    /// - Parameters:
    ///   - gateway: Its address.
    ///   - lastStart: When that one was begun.
    ///   - stored: How many characters it has.
    ///   - attribution: Its line, which stays where the gateway sends none.
    ///   - startedAt: Now.
    package init(
        refreshing gateway: String,
        from lastStart: Timestamp,
        stored: Int,
        attribution: String,
        startedAt: Timestamp
    ) {
        self.gateway = gateway
        self.isRefresh = true
        self.startedAt = startedAt.seconds
        self.changesSince = lastStart.seconds - MirrorPlan.margin
        self.stage = .changes
        self.stored = stored
        self.attribution = attribution
    }

    package var next: Step {
        let since = Timestamp(seconds: changesSince)
        return switch stage {
        case .all: .ask(MirrorQuestion(offset: offset, limit: MirrorPlan.pageLength))
        case .changes: .ask(MirrorQuestion(offset: offset, limit: MirrorPlan.pageLength, modifiedSince: since))
        case .count: .ask(MirrorQuestion(offset: 0, limit: 1))
        case .done: .finish
        }
    }

    /// What `next` asked for was answered, and is in the file.
    ///
    /// - Parameters:
    ///   - page: The answer.
    ///   - added: How many of its characters the file had not.
    ///   - changed: How many it had in another form.
    package mutating func answered(_ page: CharacterResults, added: Int, changed: Int) {
        answers += 1
        stored += added
        self.added += added
        self.changed += changed
        if !page.attribution.isEmpty { attribution = page.attribution }
        if stage != .changes { gatewayTotal = page.total }
        switch stage {
        case .all, .changes: move(past: page)
        case .count: stage = .done
        case .done: break
        }
    }

    private mutating func move(past page: CharacterResults) {
        let removed = (total ?? page.total) - page.total
        total = page.total
        if removed > 0, stepsBack < MirrorPlan.maximumStepsBack {
            // As many have moved up, and may have passed behind our back.
            stepsBack += 1
            offset = max(page.offset - removed, 0)
            return
        }
        unreadable += page.receivedCount - page.characters.count
        offset = page.offset + page.receivedCount
        guard page.receivedCount == 0 || offset >= page.total else { return }
        stage = stage == .changes ? .count : difference == 0 ? .done : .changes
        offset = 0
        total = nil
    }
}

extension MirrorPlan {
    /// How many characters the gateway says that it has beyond those in the file; below 0, the file has more. Nil: it
    /// was not asked yet.
    package var difference: Int? { gatewayTotal.map { $0 - stored - unreadable } }

    /// Of the stage; nil: nobody knows.
    package var answersLeft: Int? {
        switch stage {
        case .all, .changes: total.map { (max($0 - offset, 0) + MirrorPlan.pageLength - 1) / MirrorPlan.pageLength }
        case .count: 1
        case .done: 0
        }
    }
}

/// How far the copying of pictures has come.
package struct MirrorPicturesProgress: Sendable, Hashable, Codable {
    /// The last character that was looked at; they are by id.
    package var after: Int64 = 0
    /// Characters that were looked at.
    package var looked = 0
    package var taken = 0
    /// Of those, what the source shows where it has no picture.
    package var placeholders = 0
    /// The source has none.
    package var missing = 0
    /// To be tried again with the next refresh.
    package var failed = 0

    package init() {}
}
