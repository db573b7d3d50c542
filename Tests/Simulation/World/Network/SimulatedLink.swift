internal import NIOCore

/// A connection of the simulated network: what either side sends arrives in order, after times that vary, or not at all
/// when the connection is lost.
final class SimulatedLink {
    private let scheduler: SeededScheduler
    private weak var server: SimulatedConnection?
    private weak var client: SimulatedChannel?
    /// The time at which the last message in each direction arrives.
    private var lastAtServer = NIODeadline.uptimeNanoseconds(0)
    private var lastAtClient = NIODeadline.uptimeNanoseconds(0)
    private(set) var isLost = false
    /// Whether what the server sends waits, because its client does not read.
    var isStalled = false
    private var stalled: [ServerWireEvent] = []

    init(on scheduler: SeededScheduler, _ server: SimulatedConnection, _ client: SimulatedChannel) {
        self.scheduler = scheduler
        self.server = server
        self.client = client
    }

    func send(_ event: ClientWireEvent) {
        guard !isLost else { return }
        lastAtServer = arrival(after: lastAtServer)
        scheduler.at(lastAtServer) { [self] in
            guard !isLost, let server else { return }
            server.loop.perform { server.received(event) }
        }
    }

    func send(_ event: ServerWireEvent) {
        guard !isLost else { return }
        lastAtClient = arrival(after: lastAtClient)
        scheduler.at(lastAtClient) { [self] in
            if isStalled { stalled.append(event) } else { deliver(event) }
        }
    }

    private func deliver(_ event: ServerWireEvent) {
        guard !isLost else { return }
        client?.received(event, on: self)
    }

    /// Lets what waited arrive.
    func goOn() {
        isStalled = false
        let events = stalled
        stalled = []
        for event in events { deliver(event) }
    }

    /// Loses the connection, with everything on its way. Both sides notice, each at its time.
    func lose() {
        guard !isLost else { return }
        isLost = true
        scheduler.after(scheduler.time(0...3_000)) { [self] in
            guard let server else { return }
            server.loop.perform { server.closed() }
        }
        scheduler.after(scheduler.time(0...3_000)) { [self] in client?.lost(self) }
    }

    private func arrival(after last: NIODeadline) -> NIODeadline {
        max(last, scheduler.now + TimeAmount(scheduler.time(50...2_000)))
    }
}
