import Events
import TestClocks
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DebouncerTests {
    private let clock = TestClock()
    private let recorder = Recorder<String>()

    @Test func onlyWhatIsFollowedByAPauseIsPassedOn() async throws {
        let debouncer = Debouncer(for: .milliseconds(300), clock: clock) { [recorder] in recorder.record($0) }
        debouncer.send("s")
        await clock.sleepBegins(until: .milliseconds(300))
        clock.advance(by: .milliseconds(299))
        debouncer.send("sp")
        await clock.sleepBegins(until: .milliseconds(599))
        clock.advance(by: .milliseconds(299))
        debouncer.send("spi")
        await clock.sleepBegins(until: .milliseconds(898))
        clock.advance(by: .milliseconds(300))
        try await recorder.wait { !$0.isEmpty }
        debouncer.send("spid")
        await clock.sleepBegins(until: .milliseconds(1198))
        clock.advance(by: .milliseconds(300))
        try await recorder.wait { $0.count == 2 }
        #expect(recorder.values == ["spi", "spid"])
    }

    @Test func whatASlowReceiverDidNotTakeGivesWayToTheLast() async throws {
        let held = HeldDelivery()
        let debouncer = Debouncer(for: .seconds(1), clock: clock, on: held.delivery) { [recorder] in
            recorder.record($0)
        }
        for (index, text) in ["a", "b"].enumerated() {
            debouncer.send(text)
            await clock.sleepBegins(until: .seconds(index + 1))
            clock.advance(by: .seconds(1))
        }
        while recorder.values.last != "b" {
            held.deliver()
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func whatWaitsIsDroppedWithTheOwner() async throws {
        var debouncer: Debouncer<String, TestClock>? = Debouncer(for: .seconds(1), clock: clock) { [recorder] in
            recorder.record($0)
        }
        debouncer?.send("never")
        await clock.sleepBegins(until: .seconds(1))
        debouncer = nil
        while clock.sleeperCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(recorder.values.isEmpty)
    }
}
