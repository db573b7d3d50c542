import Glibc
import Synchronization
import Testing

@testable import ProgramSupport

struct InterruptsTests {
    @Test func theFirstAsksAndTheSecondLeaves() {
        let log = Mutex("")
        let counter = Interrupts.Counter(
            onFirst: { log.withLock { $0 += "cancel " } },
            onSecond: { status in log.withLock { $0 += "leave with \(status) " } }
        )
        #expect(counter.status == nil)
        counter.count(SIGINT)
        #expect(counter.status == 130)
        counter.count(SIGINT)
        counter.count(SIGTERM)
        #expect(log.withLock(\.self) == "cancel leave with 130 leave with 143 ")
        #expect(counter.status == 130)
    }
}
