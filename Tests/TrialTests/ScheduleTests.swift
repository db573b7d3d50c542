import Testing
import TrialChecks

@Suite struct ScheduleTests {
    @Test func twoHoursWarmUpForATenthAndCheckTwiceAMinute() {
        let schedule = SoakSchedule(total: .seconds(7_200))
        #expect(schedule.warmUp == .seconds(720))
        #expect(schedule.tenth == .seconds(648))
        #expect(schedule.epoch == .seconds(30))
    }

    @Test(
        arguments: [
            (0, nil), (719, nil), (720, 0), (1_367, 0), (1_368, 1), (7_199, 9), (7_300, 9),
        ] as [(Int, Int?)]
    )
    func eachMomentHasItsTenth(_ seconds: Int, _ expected: Int?) {
        #expect(SoakSchedule(total: .seconds(7_200)).tenth(at: .seconds(seconds)) == expected)
    }

    @Test(arguments: [10, 60, 600, 1_800, 7_200])
    func aTenthHasAnEpochAtLeast(_ seconds: Int) {
        let schedule = SoakSchedule(total: .seconds(seconds))
        #expect(seconds < 30 || schedule.epoch <= schedule.tenth)
        #expect(schedule.warmUp + schedule.tenth * 10 == .seconds(seconds))
    }
}
