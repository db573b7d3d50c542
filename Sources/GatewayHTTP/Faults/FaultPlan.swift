/// The faults of all requests, as a pure function of the settings and the number of the request.
package struct FaultPlan: Sendable, Hashable {
    private let faultInjection: FaultInjection

    package init(_ faultInjection: FaultInjection) { self.faultInjection = faultInjection }

    /// Returns the fault of a request. Requests are numbered from 0 in the order of their arrival.
    package func fault(forRequest number: UInt64) -> Fault {
        var random = SplitMix64(seed: faultInjection.seed, stream: number)
        // All random values are drawn for each request, so that one setting does not change the faults of another.
        let delay = random.duration(in: faultInjection.latency.bounds)
        let lot = random.fraction()
        let choice = random.next()
        return Fault(delay: delay, kind: kind(lot, choice))
    }

    /// Returns the kind of a fault. The shares are consecutive ranges between 0 and 1, and `lot` selects one of them,
    /// or none.
    private func kind(_ lot: Double, _ choice: UInt64) -> Fault.Kind {
        func pick<Element>(_ elements: [Element]) -> Element? {
            elements.isEmpty ? nil : elements[Int(choice % UInt64(elements.count))]
        }
        var edge = faultInjection.errorShare.value
        if lot < edge { return pick(faultInjection.errorStatuses).map(Fault.Kind.failure) ?? .none }
        edge += faultInjection.cutShare.value
        if lot < edge { return .cut }
        edge += faultInjection.wrongJSONShare.value
        if lot < edge { return pick(Fault.WrongBody.allCases).map(Fault.Kind.wrongBody) ?? .none }
        return .none
    }
}

/// The fault of one response.
package struct Fault: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case none
        /// The request is not processed; an HTML page with this status is returned.
        case failure(status: Int)
        /// The connection is closed in the middle of the body.
        case cut
        /// The response has the status of a success and a wrong body.
        case wrongBody(WrongBody)
    }

    package enum WrongBody: Sendable, Hashable, CaseIterable {
        /// The first half of the JSON, with a matching length.
        case halfJSON
        /// JSON in which `data` is a list.
        case wrongShape
        /// An HTML page.
        case html
    }

    /// The delay before anything is sent.
    package var delay: Duration
    package var kind: Kind
}

/// The random number generator of this name by Sebastiano Vigna: statistically good enough, and the same on every
/// machine.
private struct SplitMix64: RandomNumberGenerator {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    init(seed: UInt64, stream: UInt64) {
        // The seed of each request's generator is a hash, so that neighboring requests have unrelated values.
        var seeder = SplitMix64(state: seed)
        self.state = seeder.next() ^ (stream &* 0xD134_2543_DE82_EF95)
    }

    private init(state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to below 1.
    mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }

    mutating func duration(in bounds: ClosedRange<Duration>) -> Duration {
        bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) * fraction()
    }
}
