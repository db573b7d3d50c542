import LongRuns

/// The file system turns read-only under the server, as Linux makes it when a disk fails, and is mended later.
///
/// The kernel itself refuses to remount what a program has open for writing: strace gives its answers.
struct ReadOnly: Fault {
    private var tracer: Tracer?

    mutating func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        tracer = try await Tracer(stage, "pwrite64,ftruncate,fallocate:error=EROFS")
        try await wait(for: "every client to be told that the store is read-only") { signs.endedCount == signs.size }
        try await stage.checkReads(of: signs.lists)
    }

    mutating func recover(_ stage: Stage) async throws {
        try await tracer?.detach()
        tracer = nil
    }
}
