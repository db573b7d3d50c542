/// One step of a schedule, and the calls that were due in it.
package struct ScheduleStep: Sendable {
    /// When it began, after the start of the run.
    package var start: Duration
    package var length: Duration
    /// Calls per second that were due.
    package var rate: Double
    package var calls: Timeline.Interval

    /// Calls that succeeded, per second.
    package var callsPerSecond: Double { length > .zero ? Double(calls.succeeded) / length.inSeconds : 0 }

    /// Failed calls among all: 0 to 1.
    package var errorRatio: Double { calls.calls == 0 ? 0 : Double(calls.failures) / Double(calls.calls) }
}

extension LoadReport {
    /// The steps of the schedule that the run came to; empty if it has none.
    package var steps: [ScheduleStep] {
        guard limit == nil, let schedule = plan.model.schedule, case .steps(_, _, _, let each) = schedule.shape else {
            return []
        }
        let rates = schedule.stepRates
        let end = min(result.elapsed, plan.duration ?? result.elapsed)
        return zip(rates, result.recorder.steps).enumerated().map { number, step in
            let start = each * number
            // The last step holds as long as the run does.
            let left = max(end - start, .zero)
            let length = number == rates.count - 1 ? left : min(each, left)
            return ScheduleStep(start: start, length: length, rate: step.0, calls: step.1)
        }
    }
}
