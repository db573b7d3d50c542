import CrashTestChecks
import LongRuns
import MarvelClient
import MarvelDomain

/// The k-th write, sync or truncation of a server goes wrong, counted from its start: it fails, a write may be torn or
/// spoiled, and the server may end in the middle of it.
///
/// Each server opens a store that was left behind by a kill, serves for a moment, and is told to stop: so k comes to
/// recovery, to commits, and to the last checkpoint. The runs are short, so that all their calls can be met.
struct BrokenDisk: Fault {
    /// In the seed's order: few cycles come to all parts of a run, and as many as there are cases meet each once.
    private let cases: [(fault: DiskFault, number: Int)]
    private let file: FaultFile
    private var fault: DiskFault
    private var cycle = 0
    private var metCount = 0
    private var refusedStarts = 0

    var summary: String? {
        """
        \(min(cycle, cases.count)) of \(cases.count) calls and faults tried: in \(metCount) of \(cycle) cycles the call \
        was made and went wrong; \(refusedStarts) starts failed
        """
    }

    /// - Parameters:
    ///   - stage: Where the server is not running yet.
    ///   - library: Makes calls fail as a file says.
    ///   - seed: Decides on the order.
    /// - Throws: If that file cannot be written.
    init(_ stage: Stage, library: String, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        cases = DiskFault.all.shuffled(using: &random)
        fault = cases[0].fault
        file = try FaultFile(stage.path("disk-faults"))
        stage.environment["LD_PRELOAD"] = library
        stage.environment["MARVEL_DISK_FAULTS"] = file.path
    }

    mutating func prepare(_ stage: Stage) async throws {
        let (fault, number) = cases[cycle % cases.count]
        self.fault = fault
        cycle += 1
        try await stage.server().kill()
        try file.arm(fault, number: number)
        do {
            try await stage.start()
        } catch is ServerRefused {
            guard try file.metCount() > 0 else { throw RunError("the store was refused on a good disk") }
            refusedStarts += 1
            metCount += 1
            try file.disarm()
            try await stage.start()
        }
    }

    /// At once: all have been answered by now, or told that they cannot be.
    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        signs.stop()
        if try file.metCount() > 0, !fault.killsServer { try await checkWhatIsServed(stage, signs) }
        try await stage.stop()
    }

    mutating func recover(_ stage: Stage) async throws {
        guard try file.count(of: .write) > 0 else { throw RunError("the server's calls are not seen") }
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
