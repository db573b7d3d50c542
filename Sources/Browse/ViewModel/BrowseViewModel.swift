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

    /// After the last state: returns when what the person changed has been answered and written, or could not be in two
    /// seconds. Nothing is under way then.
    package func finish() async {
        leave()
        await withTaskGroup { group in
            group.addTask { [clock] in try? await clock.sleep(for: .seconds(2)) }
            group.addTask { [tasks] in await tasks.waitForAll() }
            await group.next()
            tasks.cancelAll()
            group.cancelAll()
        }
        await saving?.value
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
