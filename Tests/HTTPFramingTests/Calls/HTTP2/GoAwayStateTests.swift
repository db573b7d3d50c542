import NIOCore
import RPCCore
import Testing

@testable import HTTPFraming

struct GoAwayStateTests {
    private let now = NIODeadline.uptimeNanoseconds(1)

    @Test func aDrainIsAnnouncedAndThenFinal() {
        var state = GoAwayState()
        state.streamBegan(3)
        state.streamBegan(1)
        #expect((state.isDraining, state.isFinal, state.announcementEnd) == (false, false, nil))
        let begins = [state.drainBegan(because: "max_age", now: now), state.drainBegan(because: nil, now: now)]
        #expect(begins == [true, false], "it is announced once")
        #expect((state.isDraining, state.isFinal, state.reason) == (true, false, "max_age"))
        #expect(state.announcementEnd == now + .seconds(1))
        state.streamBegan(5)
        let ends = [state.announcementEnded(), state.announcementEnded()]
        #expect(ends == [true, false], "the last stream is named once")
        #expect((state.isDraining, state.isFinal, state.announcementEnd) == (true, true, nil))
        #expect(state.lastStream == 5)
    }

    /// The answer to a ping of another may have the same data.
    @Test func withoutADrainNothingEnds() {
        var state = GoAwayState()
        let hasEnded = state.announcementEnded()
        #expect((hasEnded, state.isDraining) == (false, false))
    }
}
