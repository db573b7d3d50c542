import Testing

@testable import Load

struct MixTests {
    @Test(arguments: [
        ("pages", [LoadOperation.pages]), ("toggle=7", [.toggle]), ("pages=1,toggle=1", [.pages, .toggle]),
        ("pages=3,toggle=1", [.pages, .pages, .toggle, .pages]), ("pages=60,walk=20", [.pages, .pages, .walk, .pages]),
    ])
    func operationsComeByWeightAndSpread(_ text: String, _ cycle: [LoadOperation]) throws {
        let mix = try #require(Mix(text))
        #expect((0..<cycle.count * 2).map(mix.operation) == cycle + cycle)
    }

    @Test func everyRunOfAHundredHasItsParts() throws {
        let mix = try #require(Mix("pages=80,toggle=15,favorites=5"))
        for start in [0, 1, 7, 1_000_000] {
            let run = (start..<start + 100).map(mix.operation)
            #expect(run.count { $0 == .pages } == 80)
            #expect(run.count { $0 == .toggle } == 15)
            #expect(run.count { $0 == .favorites } == 5)
        }
    }

    @Test(arguments: ["pages", "pages=80,toggle=15,favorites=5", "stream=1,walk=2"])
    func aMixReadsAsItWasWritten(_ text: String) {
        #expect(Mix(text)?.description == text)
    }

    @Test(arguments: [
        "", ",", "pages,", "Pages", "search", "pages=", "pages=0", "pages=-1", "pages=1.5", "pages=10001",
        "pages=99999999999999999999", "pages=1,pages=2", "pages=1=2", " pages", "pages 1",
    ])
    func anInvalidMixIsRefused(_ text: String) {
        #expect(Mix(text) == nil)
    }
}
