package import RPCCore
internal import Synchronization

/// An executor that runs tasks on the thread of the test, when the test says so.
package final class SteppedExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs until every task has ended or waits.
    package func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension ProcessRuntime {
    /// Returns the system's clocks, with tasks that run when the test says so.
    package static func stepped(_ executor: SteppedExecutor) -> ProcessRuntime {
        ProcessRuntime(now: ProcessRuntime.system.now, instant: ProcessRuntime.system.instant) { work in
            let task = Task(executorPreference: executor) { await work() }
            return StartedTask { task.cancel() }
        }
    }
}
