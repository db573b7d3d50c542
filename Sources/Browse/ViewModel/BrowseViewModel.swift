package import Events
internal import MarvelDomain

/// The running app: it takes events and publishes states. It carries out the effects that the model requests, and feeds
/// their results back as events.
///
/// Each request runs in its own task. The task is cancelled when its result is not needed any more, when the user quits,
/// or when the app is deallocated.
package actor BrowseViewModel<Time: Clock> where Time.Duration == Duration {
    /// The state after each change. The last one has `isOver` set.
    package nonisolated let states: CurrentValueSubject<BrowseModel>

    let services: any BrowseServices
    let clock: Time
    let tasks = TaskRegistry<BrowseTask>()
    /// The demand for pages of each search: one element for each requested page.
    var demands: [SearchID: AsyncStream<Void>.Continuation] = [:]
    /// The task that writes recent searches. It is not cancelled, so that the file is complete.
    var saving: Task<Void, Never>?
    private var model: BrowseModel

    /// - Parameters:
    ///   - model: The initial state.
    ///   - services: The external services of the app.
    ///   - clock: The clock of the timers.
    package init(_ model: BrowseModel, services: any BrowseServices, clock: Time) {
        self.model = model
        self.services = services
        self.clock = clock
        states = CurrentValueSubject(model)
    }

    /// Connects, and loads the recent searches.
    package func start() { carryOut(model.firstEffects) }

    /// Cancels all tasks except toggles after the user has quit.
    func leave() {
        demands = [:]
        tasks.cancel { name in
            if case .toggle = name { false } else { true }
        }
    }

    /// Quits, if the user has not done so. Waits until all changes of the user are answered and written, for at most two
    /// seconds, and then cancels all tasks.
    ///
    /// - Returns: The names of the characters whose changes the server has not confirmed.
    @discardableResult
    package func finish() async -> [String] {
        receive(.quit)
        // A separate task, because the calling task may be cancelled, and the answers are awaited even then.
        await Task { await waitForAnswers() }.value
        tasks.cancelAll()
        return model.toggles.pendingNames
    }

    /// Waits for all tasks, for at most two seconds. The two racing tasks are unstructured, so that a write that hangs
    /// cannot delay the return.
    private func waitForAnswers() async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let limit = Task { [clock] in
            try? await clock.sleep(for: .seconds(2))
            end.finish()
        }
        Task { [tasks, saving] in
            await tasks.waitForAll()
            await saving?.value
            end.finish()
        }
        for await _ in ends {}
        limit.cancel()
    }

    /// Handles an event. The new state is published when this returns.
    package func receive(_ event: BrowseEvent) {
        let before = model
        let effects = model.update(event)
        if model != before { states.send(model) }
        carryOut(effects)
    }

    private func carryOut(_ effects: [BrowseEffect]) {
        for effect in effects { carryOut(effect) }
    }
}
