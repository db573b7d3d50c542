package import Catalog
package import MarvelAPI
internal import MarvelDomain
package import Upstream

/// A copy operation from a gateway into a catalog file. It can be stopped at any time, also by a loss of power, and can
/// be resumed.
package struct Mirror: Sendable {
    private let order: MirrorOrder
    private let file: MirrorFile
    private let ledger: MirrorLedger
    private let client: MarvelAPIClient
    private let caller: UpstreamCaller
    private let pictures: MirrorPictures
    private let clock: UpstreamClock
    private let stop: MirrorStop
    private let report: @Sendable (MirrorEvent) -> Void

    /// - Parameters:
    ///   - order: The operator's settings.
    ///   - file: The open file of the mirror; `run` closes it.
    ///   - ledger: The durable record of calls.
    ///   - client: The client that calls the gateway.
    ///   - caller: The caller that limits and retries calls.
    ///   - pictures: The client that fetches pictures.
    ///   - clock: The clock for times and waits.
    ///   - stop: The signal to stop early.
    ///   - report: Called with events of the progress.
    package init(
        _ order: MirrorOrder,
        file: MirrorFile,
        ledger: MirrorLedger,
        client: MarvelAPIClient,
        caller: UpstreamCaller,
        pictures: PictureClient,
        clock: UpstreamClock,
        stop: MirrorStop = MirrorStop(),
        report: @escaping @Sendable (MirrorEvent) -> Void = { _ in }
    ) {
        self.order = order
        self.file = file
        self.ledger = ledger
        self.client = client
        self.caller = caller
        self.pictures = MirrorPictures(
            client: pictures,
            callers: PictureHostCallers(clock: clock),
            variants: order.variants
        )
        self.clock = clock
        self.stop = stop
        self.report = report
    }

    /// Copies everything that is not copied yet, and finishes the file.
    ///
    /// - Returns: The finished plan with the numbers of the copy.
    /// - Throws: `MirrorError` or `CatalogFileError`. The copied data is kept, and the next run resumes from it.
    package func run() async throws -> MirrorPlan {
        do {
            var plan = file.plan
            report(.began(plan, isResumed: file.isResumed))
            while case .fetch(let request) = plan.next {
                let start = clock.now()
                let page = try await answer(to: request)
                let wait = clock.now() - start
                plan = try await file.take(page, plan)
                report(.answered(plan, after: wait))
            }
            try await checkCompleteness(plan)
            if !order.variants.isEmpty { plan = try await copyPictures(plan) }
            await ledger.flush()
            try await file.finish(plan, at: Timestamp(seconds: clock.now().sinceEpoch.components.seconds))
            return plan
        } catch {
            await ledger.flush()
            file.close()
            throw error
        }
    }

    /// Checks that the copy may replace an older file.
    ///
    /// - Throws: `.incomplete` if it may not.
    private func checkCompleteness(_ plan: MirrorPlan) async throws {
        guard let shortfall = plan.shortfall else { return }
        if case .fewer = shortfall, order.acceptsFewer { return }
        try await file.restart(plan)
        let reason =
            switch shortfall {
            case .empty: "\(order.gateway) sent no character"
            case .fewer(let claimed, let held):
                "\(order.gateway) says that it has \(claimed) characters, and sent \(held) (--allow-fewer takes those)"
            case .listChanged: "\(order.gateway) changes faster than it can be copied"
            }
        throw MirrorError(.incomplete, "\(reason): \(order.file) is as it was; run the same command again later")
    }

    private func answer(to request: MirrorPageRequest) async throws -> CharacterResults {
        var retries = MirrorRetryPolicy(waitsForBudget: order.waits)
        while true {
            try checkStop()
            do throws(SourceError) {
                return try await caller.call(deadline: { nil }) { [client] () async throws(SourceError) in
                    try await request.ask(client)
                }
            } catch {
                guard case .wait(let delay) = retries.failed(error) else { throw MirrorError(error, at: clock.now()) }
                report(.waiting(error, until: clock.now() + delay))
                await stop.sleep(delay, clock)
            }
        }
    }

    private func copyPictures(_ plan: MirrorPlan) async throws -> MirrorPlan {
        var plan = plan
        while true {
            try checkStop()
            let copied = try await pictures.copyNext(file, plan)
            guard let copied else { return plan }
            plan = copied
            report(.pictures(plan))
        }
    }

    private func checkStop() throws(MirrorError) {
        guard stop.isRequested || Task.isCancelled else { return }
        throw MirrorError(.stopped, "stopped; what was copied is in \(file.partial)")
    }
}

extension MirrorError {
    fileprivate init(_ error: SourceError, at now: Moment) {
        let retryAt = error.retryDelay.map { now + $0 }
        switch error {
        case .budgetSpent, .shareSpent, .quota: self.init(.budgetSpent, error.description, retryAt: retryAt)
        case .credentials: self.init(.credentials, error.description)
        case .cancelled, .shutDown: self.init(.stopped, error.description)
        default: self.init(.gateway, error.description, retryAt: retryAt)
        }
    }
}

/// A progress event of a mirror.
package enum MirrorEvent: Sendable {
    /// The mirror begins or resumes.
    case began(MirrorPlan, isResumed: Bool)
    /// An answer was stored in the file, this long after its request.
    case answered(MirrorPlan, after: Duration)
    /// The mirror waits after an error, and makes no calls until then.
    case waiting(SourceError, until: Moment)
    /// Pictures of some more characters were processed.
    case pictures(MirrorPlan)
}
