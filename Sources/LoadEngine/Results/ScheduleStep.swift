/// One step of a schedule, and the calls that were due in it.
package struct ScheduleStep: Sendable {
    /// The start of the step, after the start of the run.
    package var start: Duration
    package var length: Duration
    /// The calls per second that were due.
    package var rate: Double
    package var calls: Timeline.Interval

    /// The succeeded calls per second.
    package var callsPerSecond: Double { length > .zero ? Double(calls.succeeded) / length.inSeconds : 0 }

    /// The ratio of failed calls to all calls: 0 to 1.
    package var errorRatio: Double { calls.calls == 0 ? 0 : Double(calls.failures) / Double(calls.calls) }
}

extension LoadReport {
    /// The steps of the schedule that the run reached; empty if the schedule has no steps.
    package var steps: [ScheduleStep] {
        guard limit == nil, let schedule = plan.model.schedule, case .steps(_, _, _, let each) = schedule.shape else {
            return []
        }
        let rates = schedule.stepRates
        let end = min(result.elapsed, plan.duration ?? result.elapsed)
        return zip(rates, result.recorder.steps).enumerated().map { number, step in
            let start = each * number
            // The last step lasts until the end of the run.
            let left = max(end - start, .zero)
            let length = number == rates.count - 1 ? left : min(each, left)
            return ScheduleStep(start: start, length: length, rate: step.0, calls: step.1)
        }
    }
}
