internal import ArgumentParser
internal import ProgramSupport

/// A time in the format of `TimeLimit`, or none: `0` or `0s`.
struct WarmUpTime: ExpressibleByArgument, Equatable, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        if ["0", "0s", "0ms"].contains(argument) {
            duration = .zero
            return
        }
        guard let time = TimeLimit(argument: argument) else { return nil }
        duration = time.duration
    }

    /// Reads the value of an option, for its `transform`.
    ///
    /// - Throws: `ValidationError`, as `TimeLimit` does.
    static func option(_ text: String) throws -> WarmUpTime {
        if let time = WarmUpTime(argument: text) { return time }
        throw ValidationError(TimeLimit.refusal(of: text))
    }

    var description: String { defaultValueDescription }
    var defaultValueDescription: String { TimeLimit(duration).defaultValueDescription }
}
