internal import MarvelAPI
internal import MarvelDomain

/// One walk of a mirror over the pages of a list that may change meanwhile.
///
/// Each page overlaps the one before it. As long as a page holds a character of the page before, nothing that was in the
/// list all the time can lie between the two, whatever was added and removed: the list has one order, and what stood
/// behind that character still does. A page that holds none of them is torn off, and the walk goes back.
struct MirrorPass: Sendable, Hashable, Codable {
    /// The characters that a walk met, as far as it takes to compare them with those of another walk.
    struct Findings: Sendable, Hashable, Codable {
        private(set) var count = 0
        /// A digest of their ids that does not depend on their order.
        private var digest: UInt64 = 0

        mutating func insert(_ id: Int64) {
            count += 1
            digest &+= SplitMix64.hash(UInt64(bitPattern: id))
        }
    }

    static let pageLength = 100
    /// The number of entries that are asked for again with the next page: more than usually change between two pages.
    static let overlap = 5
    /// The number of times that a walk goes back because a page was torn off.
    private static let maximumStepsBack = 20

    /// The place of the next page in the list.
    private(set) var offset = 0
    /// The number of entries of the list that were read.
    private(set) var end = 0
    /// The number of entries that the list has, by the last answer.
    private(set) var total: Int?
    private(set) var findings = Findings()
    /// Entries that are no character: without an id or a name.
    private(set) var unreadable = 0
    /// Whether characters that were there all the time may have been missed.
    private(set) var isTorn = false
    private(set) var isAtEnd = false
    /// Whether the list was seen to change, or may have changed unseen.
    private var isDisturbed = false
    private var stepsBack = 0
    private var isSteppingBack = false
    /// The characters of the page that was read last.
    private var lastIDs: [Int64] = []

    /// Whether the walk met as many entries as the list has, which did not change meanwhile.
    var isExact: Bool { !isDisturbed && findings.count + unreadable == total }

    /// Takes a page.
    ///
    /// - Parameters:
    ///   - page: The answer to what was asked at `offset`.
    ///   - newIDs: Those of its characters that this walk had not met.
    mutating func take(_ page: CharacterResults, newIDs: [Int64]) {
        for id in newIDs { findings.insert(id) }
        if let total, total != page.total { isDisturbed = true }
        total = page.total
        // Entries that were read before, if nothing has changed.
        let repeated = max(end - page.offset, 0)
        let known = page.characters.prefix { lastIDs.contains($0.id) }.count
        if page.offset > 0, known != repeated || repeated == 0 { isDisturbed = true }
        guard !isTornOff(page, repeated: repeated) else { return stepBack(from: page) }
        let unreadableInPage = page.receivedCount - page.characters.count
        unreadable += max(unreadableInPage - max(repeated - known, 0), 0)
        advance(past: page)
    }

    private func isTornOff(_ page: CharacterResults, repeated: Int) -> Bool {
        guard page.receivedCount > 0, repeated > 0, !lastIDs.isEmpty, stepsBack < MirrorPass.maximumStepsBack
        else { return false }
        return !page.characters.contains { lastIDs.contains($0.id) }
    }

    private mutating func stepBack(from page: CharacterResults) {
        stepsBack += 1
        isSteppingBack = true
        // A list that jumps about is not followed for ever.
        isTorn = stepsBack == MirrorPass.maximumStepsBack
        offset = max(page.offset - MirrorPass.pageLength, 0)
        // There is nothing before the first page that it could be torn off from.
        if offset == 0 { lastIDs = [] }
    }

    private mutating func advance(past page: CharacterResults) {
        let next = page.offset + page.receivedCount
        // A page that ends where the last one did brings nothing: the list is shorter than it says.
        isAtEnd = page.receivedCount == 0 || next >= page.total || (next <= end && !isSteppingBack)
        isSteppingBack = false
        end = next
        // At least one entry is new, however short the pages are.
        offset = end - min(MirrorPass.overlap, max(page.receivedCount - 1, 0))
        if !page.characters.isEmpty { lastIDs = page.characters.map(\.id) }
    }
}

extension MirrorPass {
    /// Whether all numbers are such as a walk makes. What was kept on disk may have been written by somebody else.
    var isSound: Bool {
        let numbers = [offset, end, total ?? 0, findings.count, unreadable, stepsBack]
        return numbers.allSatisfy((0...Int(Int32.max)).contains) && lastIDs.count <= 2 * MirrorPass.pageLength
    }
}
