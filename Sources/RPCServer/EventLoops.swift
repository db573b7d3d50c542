internal import FoundationEssentials
internal import NIOCore
internal import NIOPosix

/// The number of event loops of the process: one for each core that it may use.
package enum EventLoops {
    /// Sets the number, and starts the loops. It must be called before the loops are used for the first time; later it has
    /// no effect.
    ///
    /// The first threads of a process get arenas of malloc of their own. Others share them, and wait for each other.
    ///
    /// SwiftNIO itself respects the quota of a container, but not `taskset` and the like. Two loops that share a core
    /// keep each other's connections waiting for milliseconds.
    package static func useAllowedCores() {
        NIOSingletons.groupLoopCountSuggestion = max(1, min(allowedCores ?? .max, System.coreCount))
        _ = MultiThreadedEventLoopGroup.singleton
    }

    /// Returns whether every event loop runs a task within the timeout.
    package static func answer(within limit: Duration) async -> Bool {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let answer: Void? = await loops[0].answer(within: limit) { loop in
            EventLoopFuture.andAllSucceed(loops.map { $0.submit {} }, on: loop)
        }
        // A task that is cancelled does not wait for them.
        return answer != nil || Task.isCancelled
    }

    /// The number of processors that this process is bound to; nil if the system does not report it.
    ///
    /// It is read from proc(5), because Swift's Glibc module lacks `sched_getaffinity`.
    private static var allowedCores: Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        return mask?.split(separator: "\t").last?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }
}

extension EventLoop {
    /// Waits for an answer of event loops; nil if it does not come within the timeout, or if the task is cancelled. The time is
    /// kept by another thread than theirs, as they may be what hangs.
    func answer<Answer: Sendable>(
        within limit: Duration,
        _ ask: (any EventLoop) -> EventLoopFuture<Answer>
    ) async -> Answer? {
        let (answers, answered) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(1))
        let timer = Task {
            try await Task.sleep(for: limit)
            answered.finish()
        }
        defer { timer.cancel() }
        ask(self).whenComplete { result in
            if case .success(let answer) = result { answered.yield(answer) }
            answered.finish()
        }
        return await answers.first { _ in true }
    }
}

/// An executor that runs a call's work on the event loop of its connection. Most work waits, and its result is needed
/// on the loop, so that no other thread has to wake up for it.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
