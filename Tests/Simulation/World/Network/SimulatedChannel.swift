internal import MarvelClient
internal import MarvelDomain
internal import NIOCore
internal import RPCCore
internal import WireMessages

/// The channel of one client: it has one connection at a time, to a server that it prefers until that one drains or is
/// lost, and retries calls by the rules of the real client.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedChannel: RPCChannel, @unchecked Sendable {
    private let scheduler: SeededScheduler
    private let servers: [SimulatedServer]
    private let fault: PlantedFault?
    private let retries = RetryPolicy()
    private var budget = RetryBudget()
    private var preferred: Int
    private var link: SimulatedLink?

    init(to servers: [SimulatedServer], preferring preferred: Int, on scheduler: SeededScheduler, fault: PlantedFault?)
    {
        self.servers = servers
        self.preferred = preferred
        self.scheduler = scheduler
        self.fault = fault
    }

    // MARK: The network

    /// Loses the connection, if there is one.
    func loseConnection() { link?.lose() }

    /// Stops reading for a time.
    func stall(for duration: Duration) {
        guard let link else { return }
        link.isStalled = true
        scheduler.after(duration) { link.goOn() }
    }

    /// Opens the next connection to another server, as this one is lost, or takes no more calls.
    func left(_ link: SimulatedLink) {
        guard self.link === link else { return }
        self.link = nil
        preferred = (preferred + 1) % servers.count
    }

    private func connected() throws(RPCError) -> SimulatedLink {
        if let link, !link.isLost { return link }
        guard let link = servers[preferred].connect(self) else {
            preferred = (preferred + 1) % servers.count
            throw .unreachable
        }
        self.link = link
        return link
    }

    // MARK: Calls

    func begin(
        _ method: MethodPath,
        _ kind: RPCMethod.Kind,
        _ request: ByteBuffer,
        deadline: NIODeadline?
    ) throws(RPCError) -> SimulatedCall {
        let link = try connected()
        let timeout = deadline.map { max(.nanoseconds(1), Duration($0 - scheduler.now)) }
        let call = try link.begin(method, kind, changed(request, to: method), timeout: timeout)
        if let deadline {
            scheduler.at(deadline) { [weak call] in
                if let call { call.link.cancel(call, .deadlineExceeded) }
            }
        }
        return call
    }

    /// Has a watch resume one change late, now and then, if that is the fault to find.
    private func changed(_ request: ByteBuffer, to method: MethodPath) -> ByteBuffer {
        guard fault == .lateResume, method == MarvelServiceMethods.watchFavorites.path, scheduler.happens(50),
            var watch = try? WatchFavoritesRequest(decoding: request, limit: .request), !watch.place.isEmpty,
            let list = ListName(watch.list), let position = FavoritesPlace(watch.place).position(on: list)
        else { return request }
        watch.place = FavoritesPlace(list: list, history: position.history, revision: position.revision + 1).text
        return watch.encoded()
    }

    /// Tells a watcher a higher progress, now and then, if that is the fault to find.
    func changed(_ message: ByteBuffer) -> ByteBuffer {
        guard fault == .highProgress, var response = try? WatchFavoritesResponse(decoding: message, limit: .response),
            case .progress(var progress) = response.event, scheduler.happens(50)
        else { return message }
        progress.revision += 1
        response.event = .progress(progress)
        return response.encoded()
    }

    func unary(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool
    ) async throws(RPCError) -> ByteBuffer {
        let deadline = timeout.map { scheduler.now + TimeAmount($0) }
        var attempt = 0
        while true {
            attempt += 1
            do throws(RPCError) {
                let call = try begin(method, .unary, request, deadline: deadline)
                guard let message = try await call.next() else { throw .unreadable }
                budget.succeeded()
                return message
            } catch {
                try await waitForRetry(error, attempt, isRepeatable, deadline)
            }
        }
    }

    /// Waits until a failed call is sent again.
    ///
    /// - Throws: The error, if the call is not sent again.
    func waitForRetry(
        _ error: RPCError,
        _ attempt: Int,
        _ isRepeatable: Bool,
        _ deadline: NIODeadline?
    ) async throws(RPCError) {
        if error.isTransient { budget.failed() }
        let failure = RetryPolicy.Failure(error, attempt: attempt, isRepeatable: isRepeatable, deadline: deadline)
        switch retries.decide(failure, budget: budget, now: scheduler.now, random: scheduler.fraction()) {
        case .retry(let time): await scheduler.sleep(Duration(time - scheduler.now))
        case .giveUp: throw error
        }
    }

    func serverStream(
        _ method: MethodPath,
        _ request: ByteBuffer,
        timeout: Duration?,
        metadata: Metadata,
        isRepeatable: Bool,
        waitsForServer: Bool
    ) -> SimulatedStream {
        SimulatedStream(
            method: method,
            request: request,
            deadline: timeout.map { scheduler.now + TimeAmount($0) },
            isRepeatable: isRepeatable,
            channel: self
        )
    }

    func connectNow() {}

    func shutdown() async {}
}

extension RPCError {
    fileprivate static let unreadable = RPCError(.internalError, reason: .responseInvalid, "an answer cannot be read")

    fileprivate static let deadlineExceeded = RPCError(
        .deadlineExceeded,
        reason: .deadlineExceeded,
        "the caller's deadline passed"
    )
}
