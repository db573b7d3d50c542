internal import MarvelDomain

/// What goes wrong with each answer: a function of nothing but the settings and the number of the request.
package struct FaultPlan: Sendable, Hashable {
    private let misbehavior: Misbehavior

    package init(_ misbehavior: Misbehavior) { self.misbehavior = misbehavior }

    /// What goes wrong with a request's answer. Requests are counted from 0 in the order they came.
    package func fault(forRequest number: UInt64) -> Fault {
        var random = SplitMix64(seed: misbehavior.seed, stream: number)
        // All are drawn each time, so that one setting changes nothing about the faults of another.
        let delay = random.duration(in: misbehavior.latency.bounds)
        let lot = random.fraction()
        let choice = random.next()
        return Fault(delay: delay, kind: kind(lot, choice))
    }

    /// The shares lie behind each other between 0 and 1, and the lot falls on one of them or behind them all.
    private func kind(_ lot: Double, _ choice: UInt64) -> Fault.Kind {
        func pick<Element>(_ elements: [Element]) -> Element? {
            elements.isEmpty ? nil : elements[Int(choice % UInt64(elements.count))]
        }
        var edge = misbehavior.errorShare.value
        if lot < edge { return pick(misbehavior.errorStatuses).map(Fault.Kind.failure) ?? .none }
        edge += misbehavior.cutShare.value
        if lot < edge { return .cut }
        edge += misbehavior.wrongJSONShare.value
        if lot < edge { return pick(Fault.WrongBody.allCases).map(Fault.Kind.wrongBody) ?? .none }
        return .none
    }
}

/// What goes wrong with one answer.
package struct Fault: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case none
        /// The request is not looked at; a page of HTML with this status comes back.
        case failure(status: Int)
        /// The connection ends in the middle of the body.
        case cut
        /// The answer has the status of a success and another body.
        case wrongBody(WrongBody)
    }

    package enum WrongBody: Sendable, Hashable, CaseIterable {
        /// The first half of the JSON, as if it were all.
        case halfJSON
        /// JSON, but `data` is a list.
        case wrongShape
        /// A page of HTML.
        case html
    }

    /// Before anything is sent.
    package var delay: Duration
    package var kind: Kind
}

extension SplitMix64 {
    fileprivate init(seed: UInt64, stream: UInt64) {
        // The output for one number is the seed of the next generator: neighbors have nothing in common.
        self.init(seed: SplitMix64.hash(seed) ^ (stream &* 0xD134_2543_DE82_EF95))
    }

    /// From 0 to below 1.
    fileprivate mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }

    fileprivate mutating func duration(in bounds: ClosedRange<Duration>) -> Duration {
        bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) * fraction()
    }
}
