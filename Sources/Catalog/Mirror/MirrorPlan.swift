package import MarvelAPI
package import MarvelDomain

/// How far the copying of a gateway has come, and what is asked next. It is kept beside what was copied, so that it can
/// be gone on with.
///
///     whole copy:  all ──▶ done
///     refresh:     changes ──▶ count ──▶ done
///                                └──the gateway has more than the file──▶ all ──▶ done
///
/// The list is walked over (`MirrorPass`) until a walk met as many characters as the gateway says, undisturbed, or until
/// two walks have met the same.
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

    /// By how much `modifiedSince` looks further back than to the beginning of the last copy: clocks differ, and copies
    /// of a database lag.
    package static let margin: Int64 = 24 * 3_600
    /// A gateway that changes all the time is not walked over for ever.
    package static let maximumPasses = 4

    /// Its address, without keys.
    package let gateway: String
    /// Whether what an older copy has is brought up to date.
    package let isRefresh: Bool
    /// When the copying began, in seconds since 1970.
    package let startedAt: Int64
    /// The same, of what `modifiedSince` says.
    private let changesSince: Int64

    package private(set) var stage: Stage
    private var pass = MirrorPass()
    /// The number of the walk over the stage's list, from 1.
    package private(set) var passNumber = 1
    /// The number of the walk over any list, from 1.
    package private(set) var walk = 1
    /// The findings of the walk before, over the same list.
    private var previous: MirrorPass.Findings?
    /// How many characters the gateway has, by its last word.
    package private(set) var gatewayTotal: Int?
    /// How many characters the file has.
    package private(set) var stored: Int
    /// Of those, how many came with this copying, and how many were other before it.
    package private(set) var added = 0
    package private(set) var changed = 0
    /// Answers that were taken.
    package private(set) var answers = 0
    /// The line that must be shown with the data.
    package private(set) var attribution = ""
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
        // The file says when it was begun, and may say anything: never later than now, nor before 1970.
        self.changesSince = min(max(lastStart.seconds, 0), startedAt.seconds) - MirrorPlan.margin
        self.stage = .changes
        self.stored = stored
        self.attribution = attribution
    }

    package var next: Step {
        let since = Timestamp(seconds: changesSince)
        return switch stage {
        case .all: .ask(MirrorQuestion(offset: pass.offset, limit: MirrorPass.pageLength))
        case .changes: .ask(MirrorQuestion(offset: pass.offset, limit: MirrorPass.pageLength, modifiedSince: since))
        case .count: .ask(MirrorQuestion(offset: 0, limit: 1))
        case .done: .finish
        }
    }

    /// Takes the answer to what `next` asked for. It is in the file.
    ///
    /// - Parameters:
    ///   - page: The answer.
    ///   - newIDs: Those of its characters that the walk had not met before.
    ///   - added: How many of its characters the file had not.
    ///   - changed: How many it had in another form.
    package mutating func answered(_ page: CharacterResults, newIDs: [Int64], added: Int, changed: Int) {
        answers += 1
        stored += added
        self.added += added
        self.changed += changed
        if !page.attribution.isEmpty { attribution = page.attribution }
        if stage != .changes { gatewayTotal = page.total }
        switch stage {
        case .all, .changes:
            pass.take(page, newIDs: newIDs)
            if pass.isAtEnd { passEnded() }
        case .count:
            // Some may have been missed long ago: only a walk over everything finds them.
            if difference ?? 0 > 0 { begin(.all) } else { stage = .done }
        case .done: break
        }
    }

    /// Takes note of characters that were removed from the file, because the last walk over everything did not meet them.
    package mutating func removed(_ count: Int) { stored -= count }

    /// Walks over everything anew: what was copied is not fit to be put in place.
    package mutating func restart() { begin(.all) }

    private mutating func passEnded() {
        let isSettled = pass.isExact || previous == pass.findings || passNumber == MirrorPlan.maximumPasses
        guard isSettled else {
            let findings = pass.findings
            begin(stage, passNumber: passNumber + 1)
            previous = findings
            return
        }
        stage = stage == .changes ? .count : .done
    }

    private mutating func begin(_ stage: Stage, passNumber: Int = 1) {
        self.stage = stage
        self.passNumber = passNumber
        walk += 1
        pass = MirrorPass()
        previous = nil
    }
}

extension MirrorPlan {
    /// Why a copy is not to be put in the place of an older one.
    package enum Shortfall: Sendable, Hashable {
        /// There is not one character.
        case empty
        /// The gateway says that it has more than it sent.
        case fewer(claimed: Int, held: Int)
        /// The list changed so much between its pages that some may have been missed.
        case unsteady
    }

    /// The fault of the copy when everything was asked; nil if there is none.
    package var shortfall: Shortfall? {
        guard stage == .done else { return nil }
        if stored == 0 { return .empty }
        if pass.isTorn, previous != pass.findings { return .unsteady }
        guard let gatewayTotal, let difference, difference > 0 else { return nil }
        return .fewer(claimed: gatewayTotal, held: gatewayTotal - difference)
    }

    /// The number of entries of the stage's list that were read.
    package var read: Int { pass.end }

    /// The number of entries that the stage's list has, by the last answer.
    package var total: Int? { pass.total }

    /// Entries that are no character: without an id or a name.
    package var unreadable: Int { pass.unreadable }

    /// How many characters the gateway says that it has beyond those in the file; below 0, the file has more. Nil: it
    /// was not asked yet.
    package var difference: Int? { gatewayTotal.map { $0 - stored - unreadable } }

    /// The number of answers that the stage still needs; nil if it is not known.
    package var answersLeft: Int? {
        let new = MirrorPass.pageLength - MirrorPass.overlap
        return switch stage {
        case .all, .changes: total.map { (max($0 - read, 0) + new - 1) / new }
        case .count: 1
        case .done: 0
        }
    }

    /// Whether all numbers are such as a mirror makes. What was kept on disk may have been written by somebody else.
    package var isSound: Bool {
        let numbers = [
            passNumber, walk, gatewayTotal ?? 0, stored, added, changed, answers, pictures.looked, pictures.taken,
            pictures.placeholders, pictures.missing, pictures.failed,
        ]
        return numbers.allSatisfy((0...Int(Int32.max)).contains) && pass.isSound
            && (0...Int64(Int32.max) * 4).contains(startedAt) && (-MirrorPlan.margin...startedAt).contains(changesSince)
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
