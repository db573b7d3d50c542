package import Catalog
package import MarvelAPI
package import MarvelDomain

/// The progress of copying a gateway, and the next request. It is stored beside the copied data, so that the copying
/// can be resumed.
///
///     whole copy:  all ──▶ done
///     refresh:     changes ──▶ count ──▶ done
///                                └──the gateway has more than the file──▶ all ──▶ done
///
/// Each list is read in passes (`MirrorPass`), until a pass has read as many characters as the gateway claims and the
/// list did not change meanwhile, or until two consecutive passes have read the same characters.
package struct MirrorPlan: Sendable, Hashable, Codable {
    package enum Stage: String, Sendable, Hashable, Codable {
        /// Reading all characters, in the order of names, the only order in which paging misses nothing.
        case all
        /// Reading the characters that changed since a point in time.
        case changes
        /// Reading the number of the gateway's characters.
        case count
        case done
    }

    package enum Step: Sendable, Hashable {
        case fetch(MirrorPageRequest)
        case finish
    }

    /// The seconds by which `modifiedSince` is earlier than the beginning of the last copy: clocks differ, and replicas
    /// of a database lag.
    package static let margin: Int64 = 24 * 3_600
    /// The maximum number of passes over one list, for gateways that change all the time.
    package static let maximumPasses = 4

    /// The gateway's address, without keys.
    package let gateway: String
    /// Whether an older copy is updated.
    package let isRefresh: Bool
    /// The time at which the copying began, in seconds since 1970.
    package let startedAt: Int64
    /// The value of `modifiedSince`, in seconds since 1970.
    private let changesSince: Int64

    package private(set) var stage: Stage
    private var pass = MirrorPass()
    /// The number of the pass over the stage's list, from 1.
    package private(set) var passNumber = 1
    /// The number of the pass over any list, from 1.
    package private(set) var walk = 1
    /// The findings of the pass before over the same list.
    private var previous: MirrorPass.Findings?
    /// The number of the gateway's characters according to its last answer.
    package private(set) var gatewayTotal: Int?
    /// The number of characters in the file.
    package private(set) var stored: Int
    /// The number of characters that were added to the file.
    package private(set) var added = 0
    /// The number of characters that were changed in the file.
    package private(set) var changed = 0
    /// The number of answers that were stored.
    package private(set) var answers = 0
    /// The line that must be shown with the data.
    package private(set) var attribution = ""
    package var pictures = MirrorPicturesProgress()

    /// Begins a copy of all characters.
    package init(copying gateway: String, startedAt: Timestamp) {
        self.gateway = gateway
        self.isRefresh = false
        self.startedAt = startedAt.seconds
        self.changesSince = startedAt.seconds - MirrorPlan.margin
        self.stage = .all
        self.stored = 0
    }

    /// Begins an update of an older copy.
    ///
    /// - Parameters:
    ///   - gateway: The gateway's address.
    ///   - lastStart: The time at which the older copy was begun.
    ///   - stored: The number of characters in the older copy.
    ///   - attribution: The attribution of the older copy, which stays if the gateway sends none.
    ///   - startedAt: The current time.
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
        // The time from the file is not trusted: it is limited to the range from 1970 to now.
        self.changesSince = min(max(lastStart.seconds, 0), startedAt.seconds) - MirrorPlan.margin
        self.stage = .changes
        self.stored = stored
        self.attribution = attribution
    }

    package var next: Step {
        let since = Timestamp(seconds: changesSince)
        return switch stage {
        case .all: .fetch(MirrorPageRequest(offset: pass.offset, limit: MirrorPass.pageLength))
        case .changes:
            .fetch(MirrorPageRequest(offset: pass.offset, limit: MirrorPass.pageLength, modifiedSince: since))
        case .count: .fetch(MirrorPageRequest(offset: 0, limit: 1))
        case .done: .finish
        }
    }

    /// Records the answer to the request of `next`, after it was stored in the file.
    ///
    /// - Parameters:
    ///   - page: The answer.
    ///   - newIDs: The ids on the page that the pass had not read before.
    ///   - added: The number of characters on the page that the file did not have.
    ///   - changed: The number of characters on the page that differ from those in the file.
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
            // Earlier copies may have missed some characters. Only a pass over all characters finds them.
            if difference ?? 0 > 0 { begin(.all) } else { stage = .done }
        case .done: break
        }
    }

    /// Records the removal of characters from the file that were missing in the last pass over all characters.
    package mutating func removed(_ count: Int) { stored -= count }

    /// Begins a new pass over all characters, because the copy cannot replace the older file.
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
    /// The reason why a copy must not replace an older file.
    package enum Shortfall: Sendable, Hashable {
        /// There are no characters.
        case empty
        /// The gateway claims to have more characters than it sent.
        case fewer(claimed: Int, held: Int)
        /// The list changed so much between its pages that characters may have been missed.
        case listChanged
    }

    /// The defect of the finished copy; nil if there is none, or if the copy is not finished.
    package var shortfall: Shortfall? {
        guard stage == .done else { return nil }
        if stored == 0 { return .empty }
        if pass.isTorn, previous != pass.findings { return .listChanged }
        guard let gatewayTotal, let difference, difference > 0 else { return nil }
        return .fewer(claimed: gatewayTotal, held: gatewayTotal - difference)
    }

    /// The number of entries of the stage's list that were read.
    package var read: Int { pass.end }

    /// The number of entries of the stage's list according to the last answer.
    package var total: Int? { pass.total }

    /// The number of entries that are not characters: they have no id or no name.
    package var unreadable: Int { pass.unreadable }

    /// The number of characters that the gateway claims to have beyond those in the file. It is negative if the file
    /// has more, and nil if the gateway was not called yet.
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

    /// Whether all numbers are in their valid ranges. The plan is read from disk and may be damaged or forged.
    package var isSound: Bool {
        let numbers = [
            passNumber, walk, gatewayTotal ?? 0, stored, added, changed, answers, pictures.looked, pictures.taken,
            pictures.placeholders, pictures.missing, pictures.failed,
        ]
        return numbers.allSatisfy((0...Int(Int32.max)).contains) && pass.isSound
            && (0...Int64(Int32.max) * 4).contains(startedAt) && (-MirrorPlan.margin...startedAt).contains(changesSince)
    }
}

/// The progress of copying pictures, in the order of characters' ids.
package struct MirrorPicturesProgress: Sendable, Hashable, Codable {
    /// The id of the last character that was processed.
    package var after: Int64 = 0
    /// The number of characters that were processed.
    package var looked = 0
    /// The number of pictures that were copied.
    package var taken = 0
    /// The number of copied pictures that are the source's placeholder for a missing picture.
    package var placeholders = 0
    /// The number of pictures that the source does not have.
    package var missing = 0
    /// The number of pictures that could not be fetched. The next refresh retries them.
    package var failed = 0

    package init() {}
}

/// A mirror's request for a page of all characters, or of those that changed.
package struct MirrorPageRequest: Sendable, Hashable {
    package var offset: Int
    package var limit: Int
    /// The earliest time of change of the requested characters; nil for all characters.
    package var modifiedSince: Timestamp?

    package init(offset: Int, limit: Int, modifiedSince: Timestamp? = nil) {
        self.offset = offset
        self.limit = limit
        self.modifiedSince = modifiedSince
    }
}

extension MirrorPageRequest {
    /// Calls the gateway.
    package func ask(_ client: MarvelAPIClient) async throws(SourceError) -> CharacterResults {
        do throws(MarvelAPIError) {
            return try await client.characters(modifiedSince: modifiedSince, offset: offset, limit: limit)
        } catch {
            throw SourceError(error)
        }
    }
}
