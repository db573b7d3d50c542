package import MarvelClient
package import MarvelDomain
package import RPCCore
package import TerminalUI

/// Carries out the model's effects, and feeds their results back as events.
///
/// A request's task is cancelled when its result is obsolete, when the user quits, or when the app is deallocated.
package actor BrowseViewModel<Time: Clock> where Time.Duration == Duration {
    private enum TaskName: Hashable {
        case timer(BrowseTimer)
        case search(SearchID)
        case suggestions
        case favorites
        case toggle(Int64)
        case picture(PictureKey)
    }

    private struct RunningTask {
        var number: Int
        var task: Task<Void, Never>
    }

    /// The state after each change. The last one has `isOver` set.
    package nonisolated let states: CurrentValueSubject<BrowseModel>

    private let services: any BrowseServices
    private let clock: Time
    private var tasks: [TaskName: RunningTask] = [:]
    private var lastTaskNumber = 0
    /// One element for each requested page.
    private var demands: [SearchID: AsyncStream<Void>.Continuation] = [:]
    private var model: BrowseModel

    package init(_ model: BrowseModel, services: any BrowseServices, clock: Time) {
        self.model = model
        self.services = services
        self.clock = clock
        states = CurrentValueSubject(model)
    }

    deinit { for running in tasks.values { running.task.cancel() } }

    package func start() { carryOut(model.firstEffects) }

    /// Waits for the answers to all changes of the user for at most two seconds. Then it cancels all tasks.
    ///
    /// - Returns: The names of the characters whose changes the server has not confirmed.
    @discardableResult
    package func finish() async -> [String] {
        receive(.quit)
        // A separate task: the calling task may be cancelled, and the answers are awaited even then.
        await Task { await waitForAnswers() }.value
        cancelTasks { _ in true }
        return model.toggles.pendingNames
    }

    /// The racing tasks are unstructured, so that a hanging write cannot delay the return.
    private func waitForAnswers() async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let limit = Task { [clock] in
            try? await clock.sleep(for: .seconds(2))
            end.finish()
        }
        Task {
            while let running = tasks.values.first { await running.task.value }
            end.finish()
        }
        for await _ in ends {}
        limit.cancel()
    }

    /// Publishes the new state before it returns.
    package func receive(_ event: BrowseEvent) {
        let before = model
        let effects = model.update(event)
        if model != before { states.send(model) }
        carryOut(effects)
    }

    /// The actor's isolation makes the check and the handling atomic.
    private func receiveUnlessCancelled(_ event: BrowseEvent) {
        if !Task.isCancelled { receive(event) }
    }

    // MARK: Effects

    private func carryOut(_ effects: [BrowseEffect]) {
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: BrowseEffect) {
        switch effect {
        case .startTimer(let timer): start(timer)
        case .stopTimer(let timer): cancelTasks { $0 == .timer(timer) }
        case .startSearch(let request): start(request)
        case .nextPage(let id): demands[id]?.yield()
        case .cancelSearch(let id):
            demands[id] = nil
            cancelTasks { $0 == .search(id) }
        case .askSuggestions(let typed):
            ask(.suggestions) { services in
                // While typing, the reason for missing suggestions does not matter.
                .suggestions(typed: typed, (try? await services.suggestions(typed: typed)) ?? [])
            }
        case .cancelSuggestions: cancelTasks { $0 == .suggestions }
        case .followFavorites: followFavorites()
        case .toggle(let id, let desired): toggle(id, desired)
        case .loadPicture(let key):
            ask(.picture(key)) { services in
                do {
                    return .picture(key, try await services.picture(key).map(Pictures.State.image) ?? .none)
                } catch {
                    return .picture(key, .failed)
                }
            }
        case .cancelPicture(let key): cancelTasks { $0 == .picture(key) }
        case .quit:
            demands = [:]
            cancelTasks { if case .toggle = $0 { false } else { true } }
        }
    }

    private func start(_ timer: BrowseTimer) {
        // The duration begins now, not when the task starts to run.
        let end = clock.now.advanced(by: timer.duration)
        ask(.timer(timer)) { [clock] _ in
            guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else { return nil }
            return .timerFired(timer)
        }
    }

    private func toggle(_ id: Int64, _ desired: DesiredFavorite) {
        ask(.toggle(id)) { services in
            do throws(RPCError) {
                return .toggleAnswered(characterID: id, try await services.toggle(id, desired))
            } catch {
                return .toggleRefused(characterID: id, services.notice(error))
            }
        }
    }

    private func start(_ request: SearchRequest) {
        let (pages, demand) = AsyncStream.makeStream(of: Void.self)
        demands[request.id] = demand
        demand.yield()
        run(.search(request.id)) { [services, weak self] in
            let end = await Self.read(services, request, onDemand: pages) { page in
                await self?.receiveUnlessCancelled(.search(request.id, .page(page)))
            }
            await self?.ended(request.id, end)
        }
    }

    private static func read(
        _ services: any BrowseServices,
        _ request: SearchRequest,
        onDemand pages: AsyncStream<Void>,
        _ receive: (SearchPage) async -> Void
    ) async -> SearchEvent {
        var iterator: any AsyncIteratorProtocol<SearchPage, RPCError> = services.search(request).makeAsyncIterator()
        for await _ in pages {
            do throws(RPCError) {
                guard let page = try await iterator.next(isolation: nil) else { return .ended }
                await receive(page)
            } catch {
                return .failed(services.notice(error))
            }
        }
        return .ended
    }

    private func ended(_ id: SearchID, _ end: SearchEvent) {
        // The model already treats a cancelled search as ended.
        guard !Task.isCancelled else { return }
        demands[id] = nil
        receive(.search(id, end))
    }

    private func followFavorites() {
        run(.favorites) { [services, weak self] in
            let live = services.liveFavorites()
            var states: any AsyncIteratorProtocol<LiveFavorites.State, Never> = live.makeAsyncIterator()
            while let state = await states.next(isolation: nil) {
                await self?.receiveUnlessCancelled(.favorites(FavoritesState(state, services.notice)))
            }
        }
    }

    // MARK: Tasks

    private func ask(_ name: TaskName, _ request: @escaping @Sendable (any BrowseServices) async -> BrowseEvent?) {
        run(name) { [services, weak self] in
            guard let event = await request(services) else { return }
            await self?.receiveUnlessCancelled(event)
        }
    }

    /// Runs `work`, and cancels a running task of the same name.
    private func run(_ name: TaskName, _ work: @escaping @Sendable () async -> Void) {
        lastTaskNumber += 1
        let number = lastTaskNumber
        let task = Task { [weak self] in
            await work()
            await self?.taskEnded(name, number)
        }
        tasks.updateValue(RunningTask(number: number, task: task), forKey: name)?.task.cancel()
    }

    private func taskEnded(_ name: TaskName, _ number: Int) {
        if tasks[name]?.number == number { tasks[name] = nil }
    }

    private func cancelTasks(where isUnwanted: (TaskName) -> Bool) {
        for (name, running) in tasks where isUnwanted(name) {
            tasks[name] = nil
            running.task.cancel()
        }
    }
}

/// A request is cancelled together with the task that awaits it.
package protocol BrowseServices: Sendable {
    /// Each call of `next` grants the credit for one page. The sequence may end after a page with a next page token, if
    /// the server ended the idle stream.
    func search(_ request: SearchRequest) -> any AsyncSequence<SearchPage, RPCError>

    /// Returns completions of the typed text, then similar names.
    func suggestions(typed: String) async throws(RPCError) -> [NameSuggestion]

    /// Connects immediately, and again after every loss of the connection.
    func liveFavorites() -> any AsyncSequence<LiveFavorites.State, Never>

    /// Saves or removes a favorite. An implementation that retries uses the same request id.
    func toggle(_ characterID: Int64, _ desired: DesiredFavorite) async throws(RPCError) -> ToggleResult

    /// Nil if the character has none.
    func picture(_ key: PictureKey) async throws -> PixelImage?

    func notice(_ error: RPCError) -> FailureNotice
}
