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

    /// Signals belong to a whole process, so it runs in one of its own.
    @Test func everyHandlerOfASignalIsCalled() async {
        await #expect(processExitsWith: .success) {
            let cancelled = SignalHandler([SIGUSR2]) { _ in }
            var first = SignalHandler.stream(of: SIGUSR2).makeAsyncIterator()
            cancelled.cancel()
            var second = SignalHandler.stream(of: SIGUSR2).makeAsyncIterator()
            for _ in 0..<2 {
                kill(getpid(), SIGUSR2)
                #expect(await first.next() == SIGUSR2)
                #expect(await second.next() == SIGUSR2)
            }
        }
    }
}
