import Testing

@testable import marvel

struct InterruptsTests {
    @Test func theFirstAsksAndTheSecondLeaves() {
        let log = MemoryOutput()
        let counter = Interrupts.Counter(
            onFirst: { try? log.write("cancel ") },
            onSecond: { try? log.write("leave ") }
        )
        #expect(!counter.areAny)
        counter.count()
        #expect(counter.areAny)
        counter.count()
        counter.count()
        #expect(log.text == "cancel leave leave ")
    }
}
