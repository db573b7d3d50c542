package import Events
internal import MarvelDomain

/// The app as it runs: events in, states out. It carries out what the model wants done, and tells it what came of it.
///
/// Each thing that is under way is a task of its own, which is cancelled when it is not wanted any more: when the person
/// quits, or when nobody holds the app.
package actor BrowseViewModel<Time: Clock> where Time.Duration == Duration {
    /// A state for each change; the last one has `isOver`.
    package nonisolated let states: CurrentValueSubject<BrowseModel>

    let services: any BrowseServices
    let clock: Time
    let tasks = TaskKeeper<BrowseTask>()
    /// How many pages of each search are wanted.
    var demands: [SearchID: AsyncStream<Void>.Continuation] = [:]
    /// What is being written of recent searches: not cancelled, so that the file is whole.
    var saving: Task<Void, Never>?
    private var model: BrowseModel

    /// - Parameters:
    ///   - model: How it begins.
    ///   - services: What carries out its wishes.
    ///   - clock: What its timers go by.
    package init(_ model: BrowseModel, services: any BrowseServices, clock: Time) {
        self.model = model
        self.services = services
        self.clock = clock
        states = CurrentValueSubject(model)
    }

    /// Connects, and reads what was kept.
    package func start() { carryOut(model.firstEffects) }

    /// The person has quit: ends all that only the screen needed.
    func leave() {
        demands = [:]
        tasks.cancel { name in
            if case .toggle = name { false } else { true }
        }
    }

    /// Quits, if the person has not. Returns when what the person changed has been answered and written, or could not be
    /// in two seconds; what is still under way is cancelled then.
    ///
    /// - Returns: The names of characters that the server did not say it has saved or removed.
    @discardableResult
    package func finish() async -> [String] {
        receive(.requested(.quit))
        // A task of its own: who awaits this may have been cancelled, and the answers are awaited all the same.
        await Task { await waitForAnswers() }.value
        tasks.cancelAll()
        return model.toggles.pendingNames
    }

    /// The two that race are no children of this: a file that cannot be written must not hold up the end.
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

    /// Takes in an event; the state is there when this returns.
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
