package import MarvelDomain
internal import RPCCore
internal import Synchronization

/// The ended calls of one event loop, by protocol, method and status code. Only that loop adds to them.
///
/// The labels are numbers of closed sets, so that the counts take the same memory whatever names peers call. A loop adds with
/// a load and a store: it shares no memory with other loops that it would have to lock.
package final class CallCounters: Sendable {
    /// The number of methods that are told apart. Further ones, and unknown ones, are counted together.
    static let methodCount = 32
    /// The number of all methods that are not told apart.
    static let otherMethod = methodCount - 1

    private static let codeCount = StatusCode.allCases.count
    private let series = InlineArray<2_176, SeriesReference> { _ in SeriesReference() }

    /// Adds a call.
    ///
    /// - Parameters:
    ///   - system: The protocol by which it arrived.
    ///   - method: The number of its method.
    ///   - code: The status that it ended with.
    ///   - nanoseconds: Its duration; nil for watches, which have none.
    ///   - toFirstMessage: The time to its first message, in nanoseconds; nil if it is no stream or sent none.
    func add(
        _ system: RPCSystem,
        method: Int,
        _ code: StatusCode,
        nanoseconds: Int64?,
        toFirstMessage: Int64? = nil
    ) {
        let number = Self.number(system, method: min(method, Self.otherMethod), code)
        series[number].with { $0.add(nanoseconds: nanoseconds, toFirstMessage: toFirstMessage) }
    }

    /// Returns the place of a series.
    private static func number(_ system: RPCSystem, method: Int, _ code: StatusCode) -> Int {
        (system.rawValue * methodCount + method) * codeCount + Int(code.rawValue)
    }

    /// Adds the counts to those of other loops, by their labels.
    func read(into calls: inout [CallLabels: CallCounts]) {
        for system in RPCSystem.allCases {
            for method in 0..<Self.methodCount {
                for code in StatusCode.allCases {
                    guard let series = series[Self.number(system, method: method, code)].series else { continue }
                    let labels = CallLabels(system: system, method: method, code: code)
                    calls[labels, default: CallCounts()].add(series.counts)
                }
            }
        }
    }
}

/// The labels of a series of calls.
struct CallLabels: Sendable, Hashable {
    let system: RPCSystem
    /// The number of the method.
    let method: Int
    let code: StatusCode
}

/// The counts of a series of calls.
package struct CallCounts: Sendable, Hashable {
    /// The number of calls, watches included.
    package private(set) var count = 0
    /// The durations of the calls that are no watches.
    package private(set) var durations = HistogramCounts(.callDuration)
    /// The times to the first messages of the streams that are no watches.
    package private(set) var firstMessages = HistogramCounts(.callDuration)

    mutating func add(_ other: CallCounts) {
        count += other.count
        durations.add(other.durations)
        firstMessages.add(other.firstMessages)
    }
}

/// A reference to a series that exists from its first call on.
///
/// `AtomicLazyReference` is the same, but its generic code took 3 % of a page's time.
private struct SeriesReference: ~Copyable, Sendable {
    private let reference = Atomic<Unmanaged<CallSeries>?>(nil)

    deinit { reference.load(ordering: .acquiring)?.release() }

    var series: CallSeries? { reference.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Calls a function with the series, which is made if it does not exist.
    @inline(__always)
    func with(_ body: (CallSeries) -> Void) {
        // It lives as long as this reference, so it needs not be retained.
        (reference.load(ordering: .acquiring) ?? makeSeries())._withUnsafeGuaranteedRef(body)
    }

    /// Makes the series, unless another thread has.
    private func makeSeries() -> Unmanaged<CallSeries> {
        let made = Unmanaged.passRetained(CallSeries())
        let found = reference.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing).original
        guard let found else { return made }
        made.release()
        return found
    }
}

/// The calls of one protocol, method and status code that ended on one event loop.
private final class CallSeries: Sendable {
    private let count = Atomic(0)
    private let durations = DurationHistogram()
    /// Empty if the method does not stream.
    private let firstMessages = DurationHistogram()

    func add(nanoseconds: Int64?, toFirstMessage: Int64?) {
        count.addAlone(1)
        if let nanoseconds { durations.add(nanoseconds: nanoseconds) }
        if let toFirstMessage { firstMessages.add(nanoseconds: toFirstMessage) }
    }

    var counts: CallCounts {
        CallCounts(
            count: count.load(ordering: .relaxed),
            durations: durations.counts,
            firstMessages: firstMessages.counts
        )
    }
}
