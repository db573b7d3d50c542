internal import Logging
internal import NIOCore
package import RPCCore
internal import Synchronization

/// The event counts of one event loop. Only that loop adds to them, so two cores never write to the same memory.
package final class EventCounters: Sendable {
    private let counts = InlineArray<48, Atomic<Int>> { _ in Atomic(0) }
    private let callerCounts = InlineArray<16, Atomic<Int>> { _ in Atomic(0) }
    private let tasks = Atomic(0)
    private let timers = Atomic(0)
    let calls = CallCounters()
    let sampler: AccessSampler
    let failures: FailureSampler
    /// The loop's connections that wait to be flushed; nil if the loop is not known. They are here because only that loop
    /// uses them too.
    let flushes: JointFlushes?

    /// - Parameters:
    ///   - eventLoop: The loop, if it is known.
    ///   - rules: The rules of the log of calls; nil if they are not logged.
    ///   - loops: The number of event loops that share the lines.
    init(of eventLoop: (any EventLoop)? = nil, log rules: AccessLogRules? = nil, loops: Int = 1) {
        flushes = eventLoop.map { JointFlushes(on: $0) }
        sampler = AccessSampler(rules, loops: loops)
        failures = FailureSampler(rules, loops: loops)
    }

    package func count(_ event: ServerEvent) {
        counts[event.rawValue].wrappingAdd(1, ordering: .relaxed)
    }

    func value(of event: ServerEvent) -> Int {
        counts[event.rawValue].load(ordering: .relaxed)
    }

    func count(_ event: CallerEvent) {
        callerCounts[event.rawValue].wrappingAdd(1, ordering: .relaxed)
    }

    func value(of event: CallerEvent) -> Int {
        callerCounts[event.rawValue].load(ordering: .relaxed)
    }

    // MARK: Current numbers

    /// The number of tasks that run for calls, also for those that were cancelled or whose connection is closed.
    var runningTasks: Int { tasks.load(ordering: .relaxed) }

    func taskStarted() { tasks.wrappingAdd(1, ordering: .relaxed) }

    /// Notes the end of a task. It is called on the event loop as well, after the task itself.
    func taskEnded() { tasks.wrappingSubtract(1, ordering: .relaxed) }

    /// The number of timers of connections and calls that have neither fired nor been cancelled.
    var runningTimers: Int { timers.load(ordering: .relaxed) }

    func timerStarted() { timers.wrappingAdd(1, ordering: .relaxed) }
    func timerEnded() { timers.wrappingSubtract(1, ordering: .relaxed) }
}

/// The counters of all event loops of a server.
struct ServerCounters: Sendable {
    private let counters: [ObjectIdentifier: EventCounters]
    /// The counters for a loop that did not exist when the server began.
    private let others: EventCounters

    init(_ group: any EventLoopGroup, log rules: AccessLogRules? = nil) {
        let eventLoops = Array(group.makeIterator())
        let loops = eventLoops.map { eventLoop in
            (ObjectIdentifier(eventLoop), EventCounters(of: eventLoop, log: rules, loops: eventLoops.count))
        }
        others = EventCounters(log: rules, loops: eventLoops.count)
        counters = Dictionary(loops, uniquingKeysWith: { first, _ in first })
    }

    func counters(of eventLoop: any EventLoop) -> EventCounters {
        counters[ObjectIdentifier(eventLoop)] ?? others
    }

    func value(of event: ServerEvent) -> Int {
        counters.values.reduce(others.value(of: event)) { $0 + $1.value(of: event) }
    }

    func value(of event: CallerEvent) -> Int {
        counters.values.reduce(others.value(of: event)) { $0 + $1.value(of: event) }
    }

    /// The calls that ended, by their labels.
    var calls: [CallLabels: CallCounts] {
        var calls: [CallLabels: CallCounts] = [:]
        for counters in counters.values + [others] { counters.calls.read(into: &calls) }
        return calls
    }

    /// Removes and returns the lines of the failed calls that were not logged yet.
    func takeUnloggedFailures() -> [LoggedCall] {
        (counters.values + [others]).flatMap { $0.failures.takeRest(now: .distantFuture) }
    }

    var runningTasks: Int { counters.values.reduce(others.runningTasks) { $0 + $1.runningTasks } }
    var runningTimers: Int { counters.values.reduce(others.runningTimers) { $0 + $1.runningTimers } }

    /// The counts of all events that happened, by name.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for event in ServerEvent.allCases {
            let count = value(of: event)
            if count > 0 { metadata[event.logKey] = .stringConvertible(count) }
        }
        return metadata
    }
}
