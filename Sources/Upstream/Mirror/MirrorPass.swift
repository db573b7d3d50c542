internal import MarvelAPI
internal import MarvelDomain

/// One pass of a mirror over the pages of a list that may change meanwhile.
///
/// Each page overlaps the page before. If a page contains a character of the page before, there is no gap between the
/// two: a character that was in the list all the time cannot have been missed, because the order of the list is fixed.
/// If a page contains no character of the page before, there may be a gap, and the pass steps back.
struct MirrorPass: Sendable, Hashable, Codable {
    /// The count and a digest of the characters that a pass has read, to compare two passes.
    struct Findings: Sendable, Hashable, Codable {
        private(set) var count = 0
        /// A digest of the ids that does not depend on their order.
        private var digest: UInt64 = 0

        mutating func insert(_ id: Int64) {
            count += 1
            digest &+= SplitMix64.hash(UInt64(bitPattern: id))
        }
    }

    static let pageLength = 100
    /// The number of entries that are requested again with the next page: more than usually change between two pages.
    static let overlap = 5
    /// The maximum number of times that a pass steps back because of a gap.
    private static let maximumStepsBack = 20

    /// The offset of the next page in the list.
    private(set) var offset = 0
    /// The number of entries of the list that were read.
    private(set) var end = 0
    /// The number of entries of the list according to the last answer.
    private(set) var total: Int?
    private(set) var findings = Findings()
    /// The number of entries that are not characters: they have no id or no name.
    private(set) var unreadable = 0
    /// Whether there may be a gap: characters that were in the list all the time may have been missed.
    private(set) var isTorn = false
    private(set) var isAtEnd = false
    /// Whether the list has changed, or may have changed unnoticed, during the pass.
    private var isDisturbed = false
    private var stepsBack = 0
    private var isSteppingBack = false
    /// The ids of the characters on the page that was read last.
    private var lastIDs: [Int64] = []

    /// Whether the pass has read as many entries as the list has, and the list did not change meanwhile.
    var isExact: Bool { !isDisturbed && findings.count + unreadable == total }

    /// Adds a page to the pass.
    ///
    /// - Parameters:
    ///   - page: The page at `offset`.
    ///   - newIDs: The ids on the page that this pass had not read before.
    mutating func take(_ page: CharacterResults, newIDs: [Int64]) {
        for id in newIDs { findings.insert(id) }
        if let total, total != page.total { isDisturbed = true }
        total = page.total
        // The number of entries that were read before, if the list has not changed.
        let repeated = max(end - page.offset, 0)
        let known = page.characters.prefix { lastIDs.contains($0.id) }.count
        if page.offset > 0, known != repeated || repeated == 0 { isDisturbed = true }
        guard !leavesGap(page, repeated: repeated) else { return stepBack(from: page) }
        let unreadableInPage = page.receivedCount - page.characters.count
        unreadable += max(unreadableInPage - max(repeated - known, 0), 0)
        advance(past: page)
    }

    private func leavesGap(_ page: CharacterResults, repeated: Int) -> Bool {
        guard page.receivedCount > 0, repeated > 0, !lastIDs.isEmpty, stepsBack < MirrorPass.maximumStepsBack
        else { return false }
        return !page.characters.contains { lastIDs.contains($0.id) }
    }

    private mutating func stepBack(from page: CharacterResults) {
        stepsBack += 1
        isSteppingBack = true
        // A list that keeps changing is not followed endlessly.
        isTorn = stepsBack == MirrorPass.maximumStepsBack
        offset = max(page.offset - MirrorPass.pageLength, 0)
        // There can be no gap before the first page.
        if offset == 0 { lastIDs = [] }
    }

    private mutating func advance(past page: CharacterResults) {
        let next = page.offset + page.receivedCount
        // A page that ends at the same entry as the page before has nothing new: the list is shorter than its total.
        isAtEnd = page.receivedCount == 0 || next >= page.total || (next <= end && !isSteppingBack)
        isSteppingBack = false
        end = next
        // At least one entry is new, however short the pages are.
        offset = end - min(MirrorPass.overlap, max(page.receivedCount - 1, 0))
        if !page.characters.isEmpty { lastIDs = page.characters.map(\.id) }
    }
}

extension MirrorPass {
    /// Whether all numbers are in their valid ranges. The pass is read from disk and may be damaged or forged.
    var isSound: Bool {
        let numbers = [offset, end, total ?? 0, findings.count, unreadable, stepsBack]
        return numbers.allSatisfy((0...Int(Int32.max)).contains) && lastIDs.count <= 2 * MirrorPass.pageLength
    }
}
