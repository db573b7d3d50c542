internal import Framing
internal import Logging
internal import NIOCore
internal import Synchronization

/// What one event loop has counted. Only that loop adds to it, so no two cores ever write to the same memory.
final class EventCounters: Sendable {
    private let counts = InlineArray<48, Atomic<Int>> { _ in Atomic(0) }
    private let tasks = Atomic(0)
    private let timers = Atomic(0)

    func count(_ event: ServerEvent) {
        counts[event.rawValue].wrappingAdd(1, ordering: .relaxed)
    }

    func value(of event: ServerEvent) -> Int {
        counts[event.rawValue].load(ordering: .relaxed)
    }

    // MARK: What is there now

    /// Tasks that run for calls, also for those that were cancelled or whose connection is gone.
    var runningTasks: Int { tasks.load(ordering: .relaxed) }

    func taskStarted() { tasks.wrappingAdd(1, ordering: .relaxed) }

    /// To be said on the event loop as well, after the task itself.
    func taskEnded() { tasks.wrappingSubtract(1, ordering: .relaxed) }

    /// Timers of connections and calls that have neither fired nor been cancelled.
    var runningTimers: Int { timers.load(ordering: .relaxed) }

    func timerStarted() { timers.wrappingAdd(1, ordering: .relaxed) }
    func timerEnded() { timers.wrappingSubtract(1, ordering: .relaxed) }
}

/// The counters of all event loops of a server.
struct ServerCounters: Sendable {
    private let counters: [ObjectIdentifier: EventCounters]
    /// For a loop that was not there when the server began.
    private let others = EventCounters()

    init(_ group: any EventLoopGroup) {
        let loops = group.makeIterator().map { (ObjectIdentifier($0), EventCounters()) }
        counters = Dictionary(loops, uniquingKeysWith: { first, _ in first })
    }

    func counters(of eventLoop: any EventLoop) -> EventCounters {
        counters[ObjectIdentifier(eventLoop)] ?? others
    }

    func value(of event: ServerEvent) -> Int {
        counters.values.reduce(others.value(of: event)) { $0 + $1.value(of: event) }
    }

    var runningTasks: Int { counters.values.reduce(others.runningTasks) { $0 + $1.runningTasks } }
    var runningTimers: Int { counters.values.reduce(others.runningTimers) { $0 + $1.runningTimers } }

    /// What happened at all, by name.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for event in ServerEvent.allCases {
            let count = value(of: event)
            if count > 0 { metadata["\(event)"] = .stringConvertible(count) }
        }
        return metadata
    }
}
