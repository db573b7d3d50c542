import Testing

@testable import Catalog

@Suite struct BuiltInCharactersTests {
    private let lines = BuiltInCatalog.lines

    /// The fields of a line; the description may itself hold bars.
    private func fields(_ line: Substring) -> [Substring] {
        line.split(separator: "|", maxSplits: 3, omittingEmptySubsequences: false)
    }

    @Test func builtInCharactersAreSortedByUniqueID() {
        let ids = self.lines.compactMap { Int64(self.fields($0)[0]) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: ["1010752|9|Karolina Dean |", "1010999|0|Edward \"Ted\" Forrester|", "1017438|22|Araña|"])
    func namesAreAsTheAPIHadThem(beginning: String) {
        #expect(self.lines.contains { $0.utf8.starts(with: beginning.utf8) })
    }

    @Test func descriptionsAreShortPlainText() {
        let descriptions = self.lines.map { self.fields($0)[3] }.filter { !$0.isEmpty }
        #expect(descriptions.count == Set(descriptions).count)
        #expect(descriptions.count >= 320)
        for description in descriptions {
            #expect(description.count <= 300 && description.hasSuffix("."), "\(description)")
            #expect(!description.contains { "<>&\t".contains($0) }, "\(description)")
        }
    }
}
