import Glibc
import Testing

@testable import marvel

struct InterruptsTests {
    @Test func theFirstAsksAndTheSecondLeaves() {
        let log = MemoryOutput()
        let counter = Interrupts.Counter(
            onFirst: { try? log.write("cancel ") },
            onSecond: { try? log.write("leave with \($0.rawValue) ") }
        )
        #expect(counter.status == nil)
        counter.count(SIGINT)
        #expect(counter.status == .interrupted)
        counter.count(SIGINT)
        counter.count(SIGTERM)
        #expect(log.text == "cancel leave with 130 leave with 143 ")
        #expect(counter.status == .interrupted)
    }

    @Test func aPoliteEndHasAStatusOfItsOwn() {
        let counter = Interrupts.Counter(onFirst: {}, onSecond: { _ in })
        counter.count(SIGTERM)
        #expect(counter.status?.rawValue == 143)
    }
}
