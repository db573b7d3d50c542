/// The process ends between two instructions, whichever.
struct Kill: Fault {
    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        try await stage.server().kill()
    }

    func recover(_ stage: Stage) async throws { try await stage.start() }
}
