import MarvelDomain
import Synchronization
import Testing

struct JointWakesTests {
    @Test func wakesComeAtTheEnd() {
        let sleepers = [Sleeper(), Sleeper()]
        let before = JointWakes.collect {
            for sleeper in sleepers { JointWakes.wake(sleeper) }
            return sleepers.map(\.wakeCount)
        }
        #expect(before == [0, 0])
        #expect(sleepers.map(\.wakeCount) == [1, 1])
    }

    @Test func failedWorkWakes() {
        struct Failure: Error {}
        let sleeper = Sleeper()
        #expect(throws: Failure.self) {
            try JointWakes.collect {
                JointWakes.wake(sleeper)
                throw Failure()
            }
        }
        #expect(sleeper.wakeCount == 1)
    }

    @Test func otherWakesComeAtOnce() {
        let sleeper = Sleeper()
        JointWakes.wake(sleeper)
        #expect(sleeper.wakeCount == 1)
    }

    @Test func wakesOfTasksAreNotLost() async {
        let sleeper = Sleeper()
        let (start, sign) = AsyncStream.makeStream(of: Void.self)
        let task = JointWakes.collect {
            Task {
                for await _ in start {}
                JointWakes.wake(sleeper)
            }
        }
        sign.finish()
        await task.value
        #expect(sleeper.wakeCount == 1)
    }
}

private final class Sleeper: Wakeable {
    private let count = Mutex(0)

    var wakeCount: Int { count.withLock(\.self) }

    func wake() { count.withLock { $0 += 1 } }
}
