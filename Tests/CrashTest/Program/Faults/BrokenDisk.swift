import MarvelClient

/// The k-th write, sync or truncation of a server goes wrong, counted from its start: a write may be torn, and the server
/// may end in the middle of it. Each server opens a store that was killed or closed, serves, and is told to stop, so that
/// k comes to recovery, to commits, and to the last checkpoint.
struct BrokenDisk: Fault {
    /// What two cycles are apart: few cycles too come to all parts of a run. The counts are primes, and not the number
    /// of faults, so that each fault meets each k in as many cycles as the one times the other.
    private static let stride = 37

    private let file: FaultFile
    private var cycle = 0
    private var fault = DiskFault.all[0]
    private var wasRefused = false
    private var metCount = 0
    private var refusedStarts = 0

    var summary: String? { "in \(metCount) of \(cycle) cycles a call went wrong; \(refusedStarts) starts failed" }

    /// - Parameters:
    ///   - stage: Where the server is not running yet.
    ///   - library: Makes calls fail as a file says.
    /// - Throws: If that file cannot be written.
    init(_ stage: Stage, library: String) throws {
        file = try FaultFile(stage.path("disk-faults"))
        stage.environment["LD_PRELOAD"] = library
        stage.environment["MARVEL_DISK_FAULTS"] = file.path
    }

    mutating func prepare(_ stage: Stage) async throws {
        fault = DiskFault.all[cycle % DiskFault.all.count]
        let number = 1 + (cycle + 1) * Self.stride % fault.call.count
        cycle += 1
        wasRefused = false
        try await stage.server().kill()
        try file.arm(fault, number: number)
        do {
            try await stage.start()
        } catch is ServerRefused {
            guard try file.metCount() > 0 else { throw CrashTestError("the store was refused on a good disk") }
            wasRefused = true
            refusedStarts += 1
            metCount += 1
            try file.disarm()
            try await stage.start()
        }
    }

    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        if try file.metCount() > 0, !fault.killsServer { try await checkWhatIsServed(stage, signs) }
        try await stage.stop()
    }

    mutating func recover(_ stage: Stage) async throws {
        guard try file.writeCount() > 0 else { throw CrashTestError("the server's calls are not seen") }
        if try file.metCount() > 0 { metCount += 1 }
        try file.disarm()
        try await stage.start()
    }

    /// Lists can be read. What failed once is done when it is sent again, but after a failed sync nothing is.
    private func checkWhatIsServed(_ stage: Stage, _ signs: CrowdSigns) async throws {
        try await stage.checkReads(of: signs.lists)
        if fault.call == .sync {
            try await stage.checkWritesAreRefused(on: signs.lists[0])
        } else if !fault.isLasting {
            try await stage.checkWrites(on: signs.lists[0])
        }
    }
}
