internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import RPCClient
package import RPCCore

package struct LoadRunner: Sendable {
    /// More concurrent attempts could fill a listen queue, which costs seconds.
    private static let connectsAtOnce = 100
    private static let lead = Duration.milliseconds(5)

    private static let otherFiles = 64

    private let workers: [NIOLoopBound<LoadWorker>]
    package let connectTime: Duration

    package var threads: Int { workers.count }
    package static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// `characters` are existing ones, to toggle. `runName` makes this run's request ids unique.
    ///
    /// - Throws: `LoadConnectError` if one connection cannot be opened, `RPCError` if the token may not be sent to one
    ///   of the servers.
    package init(
        _ plan: LoadPlan,
        servers: [ServerEndpoint],
        token: String? = nil,
        sendsTokenInClear: Bool = false,
        security: ClientSecurity = .unavailable,
        characters: [Int64],
        runName: String
    ) async throws {
        let options = LoadRunner.options(token, mayBeInClear: sendsTokenInClear)
        for server in servers { _ = try options.authorization(for: server) }
        try LoadRunner.allowFiles(for: plan.connections)
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator().prefix(plan.connections))
        var workers: [NIOLoopBound<LoadWorker>] = []
        for (number, loop) in loops.enumerated() {
            workers.append(
                try await loop.submit {
                    let worker = LoadWorker(
                        plan,
                        share: WorkerShare(worker: number, of: loops.count, connections: plan.connections),
                        requests: LoadRequests(
                            plan,
                            characters: characters,
                            worker: number,
                            runName: runName
                        ),
                        servers: servers,
                        security: security,
                        options: options,
                        on: loop
                    )
                    return NIOLoopBound(worker, eventLoop: loop)
                }.get()
            )
        }
        self.workers = workers
        let began = LoadClock.now
        let atOnce = max(1, LoadRunner.connectsAtOnce / workers.count)
        let attempts = workers.map { worker in
            worker.eventLoop.flatSubmit { worker.value.connect(atOnce: atOnce) }
        }
        do {
            // All attempts must end, because a pending one would outlive the test.
            _ = try await EventLoopFuture.whenAllSucceed(attempts, on: loops[0]).get()
        } catch {
            var open = 0
            for worker in workers { open += (try? await worker.eventLoop.submit { worker.value.openLinks }.get()) ?? 0 }
            await LoadRunner.close(workers)
            let places = servers.map(\.description).joined(separator: ", ")
            throw LoadConnectError(
                description: "Only \(open) of \(plan.connections) connections to \(places) could be opened: "
                    + LoadRunner.reason(error)
            )
        }
        connectTime = .nanoseconds(LoadClock.now - began)
    }

    /// Throws `LoadConnectError` if the maximum is too low.
    static func allowFiles(for connections: Int) throws(LoadConnectError) {
        let maximum = DescriptorLimit.raise()
        guard maximum - otherFiles >= connections else {
            throw LoadConnectError(
                description: "\(connections) connections need as many open files, and this process may have "
                    + "\(maximum): raise the hard limit (`ulimit -Hn`)."
            )
        }
    }

    private static func options(_ token: String?, mayBeInClear: Bool) -> RPCClientOptions {
        var options = RPCClientOptions()
        options.software = "marvel-load"
        options.credentials = token.map { ClientCredentials(token: $0, mayBeInClear: mayBeInClear) }
        options.connectTimeout = .seconds(10)
        options.streamWindow = 0
        // It also measures how a server refuses calls over its limit, so no call waits here.
        options.heedsStreamLimit = false
        return options
    }

    /// Cancelling the task ends the run early, with partial results.
    package func run(_ model: LoadPlan.Model, limit: RunLimit, warmUp: Duration) async -> RunResult {
        let start = LoadClock.now + (LoadRunner.lead + warmUp).inNanoseconds
        let workers = workers
        let runs = workers.map { worker in
            worker.eventLoop.flatSubmit { worker.value.run(model, limit: limit, warmUp: warmUp, from: start) }
        }
        await withTaskCancellationHandler {
            _ = try? await EventLoopFuture.andAllComplete(runs, on: workers[0].eventLoop).get()
        } onCancel: {
            for worker in workers { worker.eventLoop.execute { worker.value.stop() } }
        }
        var recorder = Recorder([])
        var (elapsed, areLost, cpu) = (Nanoseconds(0), true, Duration.zero)
        for worker in workers {
            guard let part = try? await worker.eventLoop.submit({ worker.value.part }).get() else { continue }
            recorder.merge(part.recorder)
            elapsed = max(elapsed, part.elapsed)
            areLost = areLost && part.wasServerLost
            cpu = max(cpu, part.cpu.after - part.cpu.before)
        }
        let ending: RunResult.Ending = Task.isCancelled ? .stopped : areLost ? .serverLost : .completed
        return RunResult(recorder: recorder, elapsed: .nanoseconds(elapsed), ending: ending, testerCPU: cpu)
    }

    package func snapshot() async -> LoadSnapshot {
        var sum = LoadSnapshot()
        for worker in workers {
            guard let part = try? await worker.eventLoop.submit({ LoadSnapshot(worker.value) }).get() else { continue }
            sum.merge(part)
        }
        return sum
    }

    package func close() async {
        await LoadRunner.close(workers)
    }

    private static func close(_ workers: [NIOLoopBound<LoadWorker>]) async {
        for worker in workers { _ = try? await worker.eventLoop.submit { worker.value.close() }.get() }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "no address for \(error.host)"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as LoadConnectError: error.description
        case is ChannelError: "no answer in time"
        default: "\(error)"
        }
    }
}

package struct LoadConnectError: Error, CustomStringConvertible {
    package let description: String

    static let closedAtOnce = LoadConnectError(
        description: "the server accepted the connection and closed it immediately"
    )
}

package struct LoadSnapshot: Sendable {
    package private(set) var isWarmingUp = false
    package private(set) var elapsed: Nanoseconds = 0
    package private(set) var calls = 0
    package private(set) var succeeded = 0
    package private(set) var failed = 0
    package private(set) var latest = Timeline.Interval()

    package init() {}

    init(_ worker: LoadWorker) {
        isWarmingUp = worker.phase == .warmingUp
        elapsed = max(0, LoadClock.now - worker.start)
        // This runs on the loop that times the calls, so it merges no complete tally.
        for (_, tally) in worker.recorder.operations {
            calls += tally.calls
            succeeded += tally.succeeded
            failed += tally.failed
        }
        latest = worker.recorder.timeline.latest(1_000_000_000)
    }

    mutating func merge(_ other: LoadSnapshot) {
        isWarmingUp = isWarmingUp || other.isWarmingUp
        elapsed = max(elapsed, other.elapsed)
        calls += other.calls
        succeeded += other.succeeded
        failed += other.failed
        latest.merge(other.latest)
    }
}

/// Nanoseconds since a moment before the program's start, by the clock of the event loops' timers.
enum LoadClock {
    static var now: Nanoseconds { Nanoseconds(NIODeadline.now().uptimeNanoseconds) }

    static func deadline(_ time: Nanoseconds) -> NIODeadline {
        .uptimeNanoseconds(UInt64(max(0, time)))
    }
}

extension Nanoseconds {
    /// The maximum if it is out of range.
    func adding(_ other: Nanoseconds) -> Nanoseconds {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

enum ProcessTime {
    static var now: Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return .seconds(user.tv_sec + system.tv_sec) + .microseconds(Int64(user.tv_usec + system.tv_usec))
    }
}
