internal import MarvelDomain

/// The name of a running task.
enum BrowseTask: Sendable, Hashable {
    case timer(BrowseTimer)
    case search(SearchID)
    case suggestions
    case favorites
    case toggle(Int64)
    case picture(PictureKey)
    case loadRecentSearches
}

extension BrowseViewModel {
    func carryOut(_ effect: BrowseEffect) {
        switch effect {
        case .startTimer(let timer): start(timer)
        case .stopTimer(let timer): tasks.cancel(.timer(timer))
        case .loadRecentSearches:
            run(.loadRecentSearches) { .recentSearchesLoaded(await $0.loadRecentSearches()) }
        case .saveRecentSearches(let queries): save(queries)
        case .startSearch(let request): start(request)
        case .nextPage(let id): demands[id]?.yield()
        case .cancelSearch(let id):
            demands[id] = nil
            tasks.cancel(.search(id))
        case .askSuggestions(let typed): suggest(typed)
        case .cancelSuggestions: tasks.cancel(.suggestions)
        case .followFavorites: followFavorites()
        case .toggle(let id, let desired): toggle(id, desired)
        case .loadPicture(let key): load(key)
        case .cancelPicture(let key): tasks.cancel(.picture(key))
        case .quit: leave()
        }
    }

    // MARK: Requests with one answer

    /// Runs a request, and handles its answer unless the task was cancelled.
    private func run(_ task: BrowseTask, _ ask: @escaping @Sendable (any BrowseServices) async -> BrowseEvent?) {
        tasks.run(task) { [services, weak self] in
            guard let event = await ask(services) else { return }
            await self?.receiveUnlessCancelled(event)
        }
    }

    /// Handles an event unless the task is cancelled. The actor's isolation makes the check and the handling atomic.
    func receiveUnlessCancelled(_ event: BrowseEvent) {
        if !Task.isCancelled { receive(event) }
    }

    private func start(_ timer: BrowseTimer) {
        // The duration begins now, not when the task starts to run.
        let end = clock.now.advanced(by: timer.duration)
        run(.timer(timer)) { [clock] _ in
            guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else { return nil }
            return .timerFired(timer)
        }
    }

    private func suggest(_ typed: String) {
        run(.suggestions) { services in
            // Who types on does not need to know why there are none.
            let suggestions = (try? await services.suggestions(typed: typed)) ?? []
            return .suggestions(typed: typed, suggestions)
        }
    }

    private func toggle(_ id: Int64, _ desired: Toggle.Desired) {
        run(.toggle(id)) { services in
            do throws(FailureNotice) {
                return .toggleAnswered(characterID: id, try await services.toggle(id, desired))
            } catch {
                return .toggleRefused(characterID: id, error)
            }
        }
    }

    private func load(_ key: PictureKey) {
        run(.picture(key)) { services in
            do throws(FailureNotice) {
                let image = try await services.picture(key)
                return .picture(key, image.map(PictureAnswer.image) ?? .none)
            } catch {
                return .picture(key, .failed)
            }
        }
    }

    /// Saves the recent searches after earlier saves have finished. A save is not cancelled when the user quits.
    private func save(_ queries: [String]) {
        let before = saving
        saving = Task { [services] in
            await before?.value
            await services.saveRecentSearches(queries)
        }
    }

    // MARK: Streams

    private func start(_ request: SearchRequest) {
        let (pages, demand) = AsyncStream.makeStream(of: Void.self)
        demands[request.id] = demand
        demand.yield()
        tasks.run(.search(request.id)) { [services, weak self] in
            let end = await Self.read(services.search(request), onDemand: pages) { page in
                await self?.receiveUnlessCancelled(.search(request.id, .page(page)))
            }
            await self?.ended(request.id, end)
        }
    }

    /// Reads one page for each demand, until there are no more, and returns the event that ends the search.
    private static func read(
        _ found: any AsyncSequence<FoundPage, FailureNotice>,
        onDemand pages: AsyncStream<Void>,
        _ receive: (FoundPage) async -> Void
    ) async -> SearchEvent {
        var iterator: any AsyncIteratorProtocol<FoundPage, FailureNotice> = found.makeAsyncIterator()
        for await _ in pages {
            do throws(FailureNotice) {
                guard let page = try await iterator.next(isolation: nil) else { return .ended }
                await receive(page)
            } catch {
                return .failed(error)
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
        tasks.run(.favorites) { [services, weak self] in
            var states: any AsyncIteratorProtocol<FavoritesState, Never> = services.liveFavorites().makeAsyncIterator()
            while let state = await states.next(isolation: nil) {
                await self?.receiveUnlessCancelled(.favorites(state))
            }
        }
    }
}
