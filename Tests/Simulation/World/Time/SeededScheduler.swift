internal import MarvelDomain
internal import NIOCore
internal import RPCCore

/// The one thread and the one clock of a simulation. It runs what is ready, in an order that its seed decides, and lets
/// time pass when nothing is. The same seed gives the same order.
///
/// The jobs of tasks are chosen one by one. The actions of a lane, which stands for an event loop, keep their order, and
/// the lanes are chosen among by their numbers, so that nothing depends on the order of a dictionary.
///
/// `@unchecked Sendable`: a simulation has one thread. Everything in it is called by `run`, on the thread of its caller.
final class SeededScheduler: TaskExecutor, @unchecked Sendable {
    /// Work to do, kept in a structure of its own.
    struct Action {
        let run: () -> Void
    }

    private var random: SplitMix64
    private var jobs: [UnownedJob] = []
    /// The actions of each lane, by its number.
    private var lanes: [[Action]] = []
    /// The numbers of the lanes that have actions, in rising order.
    private var busyLanes: [Int] = []
    private var timers = TimerQueue()
    private var digest = FNV1a()
    private(set) var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    /// The number of jobs and actions so far.
    private(set) var stepCount = 0
    private let start = ContinuousClock.now
    /// Whether what happens is printed.
    private let isNarrated: Bool

    init(seed: UInt64, isNarrated: Bool = false) {
        random = SplitMix64(seed: seed)
        self.isNarrated = isNarrated
    }

    /// Prints what happens, if somebody wants to know.
    func tell(_ what: @autoclosure () -> String) {
        guard isNarrated else { return }
        let microseconds = (now.uptimeNanoseconds - 1_000_000_000) / 1_000
        print("\(microseconds) us: \(what())")
    }

    /// A hash of everything that was chosen and noted so far.
    var trace: UInt64 { digest.value }

    /// Adds a number to the trace: two runs that differ in it are different.
    func note(_ number: Int64) { digest.combine(number: number) }

    // MARK: Chance

    /// Returns a number below `bound`, which is above 0.
    func number(below bound: Int) -> Int {
        // The bias is far below what a simulation could notice, and no loop is needed.
        Int(random.next() >> 33) % bound
    }

    /// Returns true in `percent` of 100 cases.
    func happens(_ percent: Int) -> Bool { number(below: 100) < percent }

    /// Returns a number in 0..<1.
    func fraction() -> Double { Double(random.next() >> 11) / 0x1p53 }

    /// Returns a time from `range`, in microseconds.
    func time(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(range.lowerBound + number(below: range.count))
    }

    // MARK: Work

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// Adds a lane and returns its number.
    func addLane() -> Int {
        lanes.append([])
        return lanes.count - 1
    }

    func enqueue(on lane: Int, _ run: @escaping () -> Void) {
        if lanes[lane].isEmpty { busyLanes.insert(lane, at: busyLanes.firstIndex { $0 > lane } ?? busyLanes.count) }
        lanes[lane].append(Action(run: run))
    }

    /// Runs an action after a time.
    func after(_ delay: Duration, _ run: @escaping () -> Void) {
        at(now + TimeAmount(delay), run)
    }

    /// Runs an action at a time, or now if it has passed.
    func at(_ time: NIODeadline, _ run: @escaping () -> Void) { timers.add(Action(run: run), at: max(time, now)) }

    /// Suspends the calling task. A task that is cancelled is woken all the same.
    func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in after(duration) { continuation.resume() } }
    }

    /// Starts a task.
    @discardableResult
    func start(_ work: @escaping @Sendable () async -> Void) -> StartedTask {
        let task = Task(executorPreference: self) { await work() }
        return StartedTask { task.cancel() }
    }

    /// The clocks and the tasks of the simulation, for code that serves calls.
    var runtime: ProcessRuntime {
        ProcessRuntime(
            now: { [unowned self] in now },
            instant: { [unowned self] in start + Duration(now - .uptimeNanoseconds(0)) },
            sleep: { [unowned self] duration in await sleep(duration) },
            begin: { [unowned self] work in start(work) }
        )
    }

    // MARK: Running

    /// Runs until a condition holds, nothing is left to do, or a number of steps is reached.
    ///
    /// - Returns: Whether the condition holds.
    func run(atMost maximumSteps: Int, until isDone: () -> Bool) -> Bool {
        let end = stepCount + maximumSteps
        while !isDone() {
            guard stepCount < end, step() else { return isDone() }
        }
        return true
    }

    /// Forgets everything that waits.
    func clear() {
        (lanes, busyLanes) = ([], [])
        timers = TimerQueue()
    }

    private func step() -> Bool {
        let choices = jobs.count + busyLanes.count
        guard choices > 0 else {
            guard let (time, action) = timers.popFirst() else { return false }
            now = time
            digest.combine(number: Int64(bitPattern: time.uptimeNanoseconds))
            action.run()
            return true
        }
        stepCount += 1
        let choice = choices == 1 ? 0 : number(below: choices)
        digest.combine(UInt8(truncatingIfNeeded: choice))
        if choice < jobs.count {
            jobs.remove(at: choice).runSynchronously(on: asUnownedTaskExecutor())
        } else {
            let place = choice - jobs.count
            let lane = busyLanes[place]
            let action = lanes[lane].removeFirst()
            if lanes[lane].isEmpty { busyLanes.remove(at: place) }
            action.run()
        }
        return true
    }
}
