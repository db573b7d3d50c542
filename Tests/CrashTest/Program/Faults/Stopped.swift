import Glibc

/// The server is halted for a while, as a machine is that swaps or moves, and then goes on as if nothing had been.
struct Stopped: Fault {
    let pause: Duration

    func strike(_ stage: Stage, after delay: Duration, _ signs: CrowdSigns) async throws {
        try await Task.sleep(for: delay)
        let server = try stage.server()
        server.send(SIGSTOP)
        try await Task.sleep(for: pause)
        server.send(SIGCONT)
        try await Task.sleep(for: delay)
    }
}
