/// The length and the number of measurements.
struct Pace: Codable {
    /// Each round measures every scenario on every server.
    var rounds: Int
    /// Seconds of one measurement, and of the load before it.
    var seconds: Double
    var warmup: Double
    /// Seconds over which memory must not grow, and of the load before that.
    var growthSeconds: Double
    var growthWarmup: Double
    var idleConnections: Int
    /// Toggles that all watchers of a list hear of, one after the other.
    var toggles: Int
    /// Toggles in one measurement, one after the other and with many in flight, instead of seconds: a toggle costs more in
    /// a larger store, so each server makes the same number.
    var singleToggles: Int
    var groupedToggles: Int
    /// Searches by each match of a large catalog.
    var searches: Int

    static let full = Pace(
        rounds: 5,
        seconds: 2,
        warmup: 0.5,
        growthSeconds: 60,
        growthWarmup: 15,
        idleConnections: 2000,
        toggles: 100,
        singleToggles: 1000,
        groupedToggles: 24_000,
        searches: 1000
    )
    /// A second for each scenario and server, in all.
    static let quick = Pace(
        rounds: 3,
        seconds: 0.35,
        warmup: 0.15,
        growthSeconds: 1,
        growthWarmup: 1,
        idleConnections: 1000,
        toggles: 20,
        singleToggles: 250,
        groupedToggles: 6000,
        searches: 300
    )

    var loadOptions: [String] { ["--seconds", "\(seconds)", "--warmup", "\(warmup)"] }
}
