/// The k-th write or sync fails, of a server that runs and of one that starts: a k of its own in each cycle, from 1 on.
///
/// strace counts for each thread. A server that starts writes from one, so there the first k meet every write of its
/// start; one that runs writes from few, so there they meet every kind of write of a commit, and the checkpoints.
struct IOErrors: Fault {
    let stage: ServerStage
    private enum Place: CaseIterable { case running, starting }

    private static let errors = ["fdatasync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC"]

    private var cycle = 0
    private var tracer: Tracer?
    private var failedCount = 0
    private var refusedStarts = 0
    private var isSync = false
    private var startWasRefused = false

    init(stage: ServerStage) { self.stage = stage }

    var summary: String? { "\(failedCount) calls failed by strace; \(refusedStarts) starts refused" }

    mutating func prepare() async throws {
        // Errors first, then places, then the next k.
        let number = cycle
        cycle += 1
        let error = Self.errors[number % Self.errors.count]
        let place = Place.allCases[number / Self.errors.count % Place.allCases.count]
        let k = 1 + number / (Self.errors.count * Place.allCases.count)
        isSync = error.hasPrefix("fdatasync")
        startWasRefused = false
        let injection = "\(error):when=\(k)"
        switch place {
        case .running:
            tracer = try await Tracer(stage, injection)
        case .starting:
            try await stage.kill()
            do {
                try await stage.start(through: Tracer.command(injection, trace: stage.path("strace")))
            } catch is ServerRefused {
                refusedStarts += 1
                startWasRefused = true
                try await stage.start()
            }
        }
    }

    func strike(after delay: Duration, _ signs: Signs) async throws {
        try await Task.sleep(for: delay)
        try await stage.read(signs.lists)
        // After a failed sync the kernel takes for written what is not: nothing that is written later can be trusted.
        let endsWriting = isSync && Tracer.injectedCount(stage.path("strace")) > 0 && !startWasRefused
        if endsWriting {
            try await stage.checkWritesAreRefused(on: signs.lists[0])
        } else if !isSync {
            try await stage.checkWrites(on: signs.lists[0])
        }
        try await stage.kill()
    }

    mutating func recover() async throws {
        try await tracer?.waitForEnd()
        tracer = nil
        failedCount += Tracer.injectedCount(stage.path("strace"))
        try await stage.start()
    }
}
