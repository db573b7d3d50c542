/// A goal of a measurement, and whether it was reached.
struct Bar: Encodable {
    let title: String
    let value: Double
    /// The value must not be above it, or not below it.
    let limit: Double
    let isLimitLeast: Bool
    let unit: String
    let isReached: Bool

    init(_ title: String, _ value: Double, atMost limit: Double, _ unit: String = "x") {
        self.init(title, value, limit, isLimitLeast: false, unit)
    }

    init(_ title: String, _ value: Double, atLeast limit: Double, _ unit: String = "x") {
        self.init(title, value, limit, isLimitLeast: true, unit)
    }

    private init(_ title: String, _ value: Double, _ limit: Double, isLimitLeast: Bool, _ unit: String) {
        self.title = title
        self.value = value
        self.limit = limit
        self.isLimitLeast = isLimitLeast
        self.unit = unit
        isReached = isLimitLeast ? value >= limit : value <= limit
    }
}

extension Rounds {
    /// The goals of marvel-server, relative to the other servers.
    var bars: [Bar] {
        [
            Bar("page 16x16: CPU, to C, pages", ratio(\.cpu, .page, to: .pages), atMost: 1.6),
            Bar("page 16x16: CPU, to C", ratio(\.cpu, .page, to: .encoding), atMost: 1),
            Bar("page 16x16: CPU, to gRPC C++", ratio(\.cpu, .page, to: .grpc), atMost: 1 / 5),
            Bar("stream 16x16: CPU, to C, pages", ratio(\.cpu, .stream, to: .pages), atMost: 1.6),
            Bar("page 1x1: median latency, to C", ratio(\.p50, .pageOnOneCore, to: .encoding), atMost: 1.6),
            Bar("favorites 16x16: CPU, to page 16x16", ratio(\.cpu, .list, to: .marvel, in: .page), atMost: 0.9),
            Bar("suggest 16x16: CPU", median(.suggest, .marvel).cpu, atMost: 4, "us"),
            Bar("picture 16x16: CPU", median(.picture, .marvel).cpu, atMost: 6, "us"),
        ] + grpcBars + toggleBars
    }

    /// The goals over gRPC, with the same load on both.
    private var grpcBars: [Bar] {
        func ratio(_ figure: KeyPath<Figures, Double>, _ scenario: Scenario) -> Double {
            self.ratio(figure, scenario, of: .marvelOverGRPC, to: .grpc)
        }
        return [
            Bar("gRPC, page 16x16: CPU, to gRPC C++", ratio(\.cpu, .page), atMost: 0.6),
            Bar("gRPC, stream 16x16: CPU, to gRPC C++", ratio(\.cpu, .stream), atMost: 0.45),
            Bar("gRPC, page 1x1: median latency, to gRPC C++", ratio(\.p50, .pageOnOneCore), atMost: 0.8),
        ]
    }

    private var toggleBars: [Bar] {
        let loaded = [Scenario.manyToggles, .manyTogglesInProcess].flatMap { scenario in
            [
                Bar("\(scenario.name): CPU, to C", ratio(\.cpu, scenario, to: .favorites), atMost: 1.5),
                Bar(
                    "\(scenario.name): toggles a second, to C",
                    ratio(\.answersPerSecond, scenario, to: .favorites),
                    atLeast: 0.6
                ),
            ]
        }
        let rate = median(.manyToggles, .marvel).answersPerSecond
        return loaded + [
            Bar("\(Scenario.manyToggles.name): toggles a second", rate, atLeast: 30_000, ""),
            Bar("\(Scenario.toggle.name): CPU, to C", ratio(\.cpu, .toggle, to: .favorites), atMost: 2),
            Bar("\(Scenario.toggle.name): median latency, to C", ratio(\.p50, .toggle, to: .favorites), atMost: 1.25),
        ]
    }
}
