package import MarvelDomain

/// The decisions of a store of favorites: which changes are made, in which groups, what their callers are answered, and what
/// readers are told.
///
/// It is a value without a clock, a thread or a disk. A driver carries out its steps, one at a time, on a back end:
///
///     begin(requests) ─▶ next() ─▶ .read(lists)   ─▶ read(reading)      ─▶ next() ─▶ …
///                                  .commit(group) ─▶ committed(outcome) ─▶ next() ─▶ …
///                                  either         ─▶ failed(failure)    ─▶ next() ─▶ …
///                                  .rest: nothing is begun
///
/// After each call the driver takes `effects`: it sends the events to the store's feed, and then calls the answers.
///
/// **No revision of a history is used twice.** A list's revision rises by one with each change, and a back end makes a change
/// only if the list is at the revision on which it was decided. A list of an unknown name begins above the base, which is at
/// least as high as the last revision of every name that was dropped. A new history begins above all revisions of those
/// before it that any server has seen.
///
/// **A request is done once.** Its answer is written in the transaction of its change, and each group looks for the answers
/// to its requests first. So a group whose outcome is unknown is decided again like any other: what was done is answered with
/// the answer that was kept.
package struct FavoritesEngine: Sendable {
    package struct Settings: Sendable {
        package var rules = ListRules()
        /// Whether others change the lists too. Then a list on which a request changes nothing is looked at all the same.
        package var isShared = false
        package var maximumCacheBytes = 64 << 20
        /// The time for which requests that were never sent wait for a back end that cannot be reached.
        package var patience = Duration.seconds(2)
        /// The time after which a request is given up whose outcome is unknown.
        package var maximumDoubt = Duration.seconds(10)
        /// The time after which a request that waits is refused, and not begun.
        package var maximumWait = Duration.seconds(5)

        package init() {}
    }

    /// The next thing to do with the back end.
    package enum Step: Sendable {
        case rest
        case read(WantedLists)
        case commit(ChangeGroup)
    }

    /// The reason why a step was not carried out.
    package enum Failure: Sendable {
        /// All requests of the step are answered with the error.
        case refused(StoreError)
        /// The back end cannot be reached, so the step was not begun.
        case unreachable(String)
        /// The step may have been carried out.
        case inDoubt(String)
        /// The back end has another history, which the engine goes on in after `renewed`.
        case otherHistory
    }

    /// What has to be told: the events first, in their order, and then the answers.
    package struct Effects: Sendable {
        package fileprivate(set) var events: [StoreEvent] = []
        fileprivate var answers: [(FavoritesRequest, Result<FavoritesRequest.Answer, StoreError>)] = []

        package func answer() { for (request, answer) in answers { request.answer(answer) } }
    }

    /// A request that is not answered yet, and may be with the back end.
    struct Begun: Sendable {
        let request: FavoritesRequest
        let since: ContinuousClock.Instant
        /// Whether it may have been done.
        var isInDoubt = false
    }

    private let settings: Settings
    package private(set) var history: HistoryID
    /// The revision with which lists of unknown names begin.
    private var base: Int64
    package private(set) var listCount: Int
    private var lists: ListCache
    /// Lists that may have changed since they were read.
    private var stale: Set<ListName> = []
    /// Lists that cannot be read, until the requests that wait for them are decided.
    private var refused: [ListName: StoreError] = [:]
    /// The numbers of lists of owners, until the requests that wait for them are decided.
    private var ownedCounts: [String: Int] = [:]
    /// The requests to decide, in their order.
    private var begun: [Begun] = []
    /// The group that the back end has.
    private var group: ChangeGroup?
    private var effects = Effects()

    /// - Parameters:
    ///   - settings: The settings.
    ///   - history: The history of the store.
    ///   - base: The revision with which lists of unknown names begin.
    ///   - listCount: The number of lists that exist.
    package init(_ settings: Settings, history: HistoryID, base: Int64, listCount: Int) {
        self.settings = settings
        self.history = history
        self.base = base
        self.listCount = listCount
        lists = ListCache(maximumBytes: settings.maximumCacheBytes)
    }

    package mutating func takeEffects() -> Effects {
        defer { effects = Effects() }
        return effects
    }

    // MARK: Steps

    /// Begins requests, in their order. Those whose callers have left, or have waited too long, are refused.
    package mutating func begin(_ requests: [FavoritesRequest], at now: ContinuousClock.Instant) {
        for request in requests {
            if let refusal = request.caller.refusal(at: now, maximumWait: settings.maximumWait) {
                effects.answers.append((request, .failure(refusal)))
            } else {
                begun.append(Begun(request: request, since: now))
            }
        }
    }

    /// Whether requests are begun that are not with the back end.
    package var hasWork: Bool { !begun.isEmpty }

    /// Whether the back end has a group.
    package var isCommitting: Bool { group != nil }

    /// Returns the next step.
    ///
    /// - Parameter now: The time of what is saved.
    package mutating func next(at now: Timestamp) -> Step {
        let wanted = wantedLists()
        guard wanted.isEmpty else { return .read(wanted) }
        while !begun.isEmpty {
            let group = decide(at: now)
            guard !group.requests.isEmpty else { continue }
            self.group = group
            return .commit(group)
        }
        return .rest
    }

    private mutating func wantedLists() -> WantedLists {
        var wanted = WantedLists()
        var seen: Set<ListName> = []
        for begun in begun {
            let name = begun.request.list
            lists.use(name)
            let list = lists[name]?.list
            if list == nil || stale.contains(name), refused[name] == nil, seen.insert(name).inserted {
                wanted.lists.append((name, list.flatMap { $0.isUnknown ? nil : $0.revision }))
            }
            if settings.rules.maximumListsPerOwner > 0, let owner = begun.request.newOwner(of: list),
                ownedCounts[owner] == nil
            {
                wanted.owners.insert(owner)
            }
        }
        return wanted
    }

    /// Takes what the back end has read. What is of another history is asked for again.
    package mutating func read(_ reading: ListReading) {
        guard reading.history == history else { return }
        if let facts = reading.facts { (listCount, base) = facts }
        ownedCounts.merge(reading.ownedCounts) { _, new in new }
        heard(reading.changes)
        for (name, result) in reading.lists {
            stale.remove(name)
            switch result {
            case .success(let list): take(list, of: name)
            case .failure(let error):
                lists.remove(name)
                refused[name] = error
            }
        }
    }

    private mutating func take(_ list: KnownList, of name: ListName) {
        // Of what nobody else changes, all was told.
        var entry = lists[name] ?? ListCache.Entry(list: list, told: settings.isShared ? nil : list.revision)
        // The feed may have told of later changes meanwhile.
        guard entry.list.isUnknown || entry.list.revision <= list.revision else { return }
        if let told = entry.told, told < list.revision, !list.isUnknown {
            // The changes in between are no longer kept.
            effects.events.append(.changed([ListChange(name, revision: list.revision)]))
            entry.told = list.revision
        }
        entry.list = list
        lists.put(entry, for: name)
    }

    /// Takes the outcome of the group, which is durable.
    package mutating func committed(_ outcome: GroupOutcome) {
        guard let group = group.take() else { return }
        var news: [ListChange] = []
        if group.history == history {
            base = outcome.base
            for (list, result) in zip(group.lists, outcome.lists) { take(result, of: list, &news) }
            for name in outcome.dropped { lists.remove(name) }
        }
        if !news.isEmpty { effects.events.append(.changed(news)) }
        var again: [Begun] = []
        for (place, request) in group.requests.enumerated() {
            if let kept = outcome.repeated[place] {
                answer(request.begun, kept.flatMap(request.begun.request.answer(kept:)))
                continue
            }
            switch request.list.map({ outcome.lists[$0] }) {
            case nil: answer(request.begun, group.answer(request, by: []))
            case .applied(let changes): answer(request.begun, group.answer(request, by: changes))
            case .refused(let error): answer(request.begun, .failure(error))
            case .passedOver, .lost: again.append(request.begun)
            }
        }
        begun = again + begun
    }

    private mutating func take(_ result: GroupOutcome.OfList, of list: ChangeGroup.List, _ news: inout [ListChange]) {
        switch result {
        case .applied(let changes):
            listCount += (list.after.exists ? 1 : 0) - (list.before.exists ? 1 : 0)
            var entry = lists[list.name] ?? ListCache.Entry(list: list.before, told: nil)
            let told = settings.isShared ? entry.told ?? 0 : list.before.revision
            if told < list.before.revision, !list.before.isUnknown {
                news.append(ListChange(list.name, revision: list.before.revision))
            }
            // The feed of a shared back end may have told of them, and of later ones, before.
            for change in changes where change.revision > told { news.append(ListChange(list.name, change)) }
            entry.told = max(told, list.after.revision)
            if entry.list.revision <= list.after.revision { entry.list = list.after }
            lists.put(entry, for: list.name)
        case .passedOver: if settings.isShared { stale.insert(list.name) }
        case .lost: stale.insert(list.name)
        case .refused: lists.remove(list.name)
        }
    }

    /// Takes the failure of a step. The requests that are not answered are decided again in the next one.
    package mutating func failed(_ failure: Failure, at now: ContinuousClock.Instant) {
        let group = group.take()
        let sent = group?.requests.map(\.begun) ?? []
        switch failure {
        case .refused(let error):
            let failed = group == nil ? begun : sent
            if group == nil { begun = [] }
            for begun in failed { answer(begun, .failure(error)) }
        case .inDoubt(let reason):
            for list in group?.lists ?? [] { stale.insert(list.name) }
            begun = sent.map { Begun(request: $0.request, since: $0.since, isInDoubt: true) } + begun
            giveUp(reason, at: now)
        case .unreachable(let reason):
            begun = sent + begun
            giveUp(reason, at: now)
        case .otherHistory:
            begun = sent + begun
        }
    }

    /// Gives up the requests that have waited for too long for a back end that cannot be reached.
    private mutating func giveUp(_ reason: String, at now: ContinuousClock.Instant) {
        var left: [Begun] = []
        for begun in begun {
            let time = begun.isInDoubt ? settings.maximumDoubt : settings.patience
            if begun.since + time > now {
                left.append(begun)
            } else {
                answer(begun, .failure(begun.isInDoubt ? .outcomeUnknown(reason) : .unavailable(reason)))
            }
        }
        begun = left
    }

    private mutating func answer(_ begun: Begun, _ answer: Result<FavoritesRequest.Answer, StoreError>) {
        effects.answers.append((begun.request, answer))
    }

    // MARK: News

    /// Takes changes that the feed of a shared back end tells of: those of others, and this engine's own. Those of each list
    /// come in the order of their revisions, and may come again.
    package mutating func heard(_ changes: [ListChange]) {
        var news: [ListChange] = []
        for change in changes {
            if var entry = lists[change.list] {
                if let told = entry.told, change.revision <= told { continue }
                entry.told = change.revision
                if change.revision == entry.list.revision + 1, entry.list.exists, let made = change.change {
                    entry.list.take(made)
                } else if change.revision > entry.list.revision {
                    // Also if somebody made the list again: whose it is is not in the change.
                    stale.insert(change.list)
                }
                lists.put(entry, for: change.list)
            }
            news.append(change)
        }
        if !news.isEmpty { effects.events.append(.changed(news)) }
    }

    /// Forgets what is known of a list, because its rows are damaged.
    package mutating func forget(_ list: ListName) { lists.remove(list) }

    /// Forgets all lists, because events of the feed may be missing.
    package mutating func lost() {
        lists.removeAll()
        effects.events.append(.lost)
    }

    /// Goes on in another history. A group that is under way is of the one before.
    package mutating func renewed(_ history: HistoryID, base: Int64) {
        (self.history, self.base) = (history, base)
        lists.removeAll()
        stale = []
        effects.events.append(.renewed(history))
    }

    /// Returns the revision of a list up to which its changes were told; nil if that is not known.
    package func toldRevision(of list: ListName) -> Int64? { lists[list]?.told }

    /// Returns a list. The base may have risen since an unknown name was read.
    private func known(_ name: ListName) -> KnownList? {
        lists[name].map { $0.list.isUnknown ? .unknown(base: base) : $0.list }
    }

    // MARK: Decisions

    /// Decides requests in their order, each on the effect of those before it. Those that cannot be in one group with them
    /// wait for the next one, and so do all later ones of their lists.
    private mutating func decide(at now: Timestamp) -> ChangeGroup {
        var draft = Draft(ChangeGroup(history: history), listCount: listCount, ownedCounts)
        var later: [Begun] = []
        for begun in begun {
            let name = begun.request.list
            guard draft.admits(begun.request) else {
                later.append(begun)
                continue
            }
            let plan: ChangeGroup.Plan
            if let error = refused[name] {
                plan = .notKept(.failure(error))
            } else if let known = known(name) {
                plan = draft.plan(begun.request, on: known, settings, at: now)
            } else {
                // The list was forgotten since it was read.
                later.append(begun)
                draft.close(name)
                continue
            }
            if let answer = draft.add(begun, plan) { self.answer(begun, answer) }
        }
        begun = later
        (refused, ownedCounts) = ([:], [:])
        return draft.group
    }

    /// A group while it is put together.
    private struct Draft {
        var group: ChangeGroup
        private var listCount: Int
        private var ownedCounts: [String: Int]
        /// The places of the lists in the group.
        private var places: [ListName: Int] = [:]
        private var keys: Set<RequestKey> = []
        /// The lists whose further requests wait for the next group.
        private var closed: Set<ListName> = []

        init(_ group: ChangeGroup, listCount: Int, _ ownedCounts: [String: Int]) {
            (self.group, self.listCount, self.ownedCounts) = (group, listCount, ownedCounts)
        }

        mutating func close(_ name: ListName) { closed.insert(name) }

        /// Returns whether a request may be in the group. A key is in it once: the repeat gets the answer that is kept then.
        mutating func admits(_ request: FavoritesRequest) -> Bool {
            let isFree = request.key.map { !keys.contains($0) } ?? true
            if !isFree { closed.insert(request.list) }
            return !closed.contains(request.list)
        }

        mutating func plan(
            _ request: FavoritesRequest,
            on known: KnownList,
            _ settings: Settings,
            at now: Timestamp
        ) -> ChangeGroup.Plan {
            let name = request.list
            if settings.isShared { _ = place(of: name, known) }
            let list = places[name].map { group.lists[$0].after } ?? known
            switch request.kind {
            case .toggle(let toggle, let character):
                let subject = ListRules.Subject(ids: list.ids, exists: list.exists, listCount: listCount)
                let decision = settings.rules.decide(toggle, on: subject, saving: character, at: now) {
                    ownedCounts[$0] ?? 0
                }
                switch decision {
                case .nothing(let isFavorite):
                    return .toggle(toggle, isFavorite: isFavorite, revision: list.revision, edit: nil)
                case .characterNeeded: return .notKept(.success(.toggle(.characterNeeded)))
                case .refused(let error): return .notKept(.failure(error))
                case .edit(let edit):
                    let place = add(edit, to: name, known, of: toggle.owner)
                    return .toggle(toggle, isFavorite: edit.saved != nil, revision: list.revision + 1, edit: place)
                }
            case .deletion:
                guard list.exists else { return .deletion(name, existed: false, revision: list.revision) }
                _ = add(ListRules.deletion(of: list.ids), to: name, known)
                return .deletion(name, existed: true, revision: list.revision + 1)
            case .replacement(_, let favorites, let owner):
                if list.exists { _ = add(ListRules.deletion(of: list.ids), to: name, known) }
                // A list without favorites is made by a change without content.
                for edit in favorites.isEmpty ? [ListEdit()] : favorites.map({ ListEdit(saved: $0) }) {
                    _ = add(edit, to: name, known, of: owner)
                }
                return .replaced
            }
        }

        private mutating func add(
            _ edit: ListEdit,
            to name: ListName,
            _ known: KnownList,
            of owner: ListOwner = .nobody
        ) -> Int {
            let place = place(of: name, known)
            let before = group.lists[place].after
            let edit = group.add(edit, to: place, of: owner)
            let after = group.lists[place].after
            listCount += (after.exists ? 1 : 0) - (before.exists ? 1 : 0)
            if before.owner != after.owner {
                if let owner = before.owner { ownedCounts[owner]? -= 1 }
                if let owner = after.owner { ownedCounts[owner]? += 1 }
            }
            return edit
        }

        private mutating func place(of name: ListName, _ known: KnownList) -> Int {
            if let place = places[name] { return place }
            places[name] = group.lists.count
            group.lists.append(ChangeGroup.List(name, known))
            return group.lists.count - 1
        }

        /// Adds a request to the group.
        ///
        /// - Returns: Its answer if the back end need not be asked: nothing is written, no key may have been answered before,
        ///   and it does not depend on changes that may fail.
        mutating func add(
            _ begun: Begun,
            _ plan: ChangeGroup.Plan
        ) -> Result<FavoritesRequest.Answer, StoreError>? {
            let request = ChangeGroup.Request(
                key: begun.request.key,
                list: places[begun.request.list],
                begun: begun,
                plan: plan
            )
            if request.key == nil, request.list == nil { return group.answer(request, by: []) }
            if let key = request.key { keys.insert(key) }
            group.requests.append(request)
            return nil
        }
    }
}

extension KnownList {
    fileprivate mutating func take(_ change: FavoritesChange) {
        change.apply(to: &ids)
        revision = change.revision
        guard change.isDeletion else { return }
        (exists, owner) = (false, nil)
    }
}

extension FavoritesRequest {
    /// The name of the caller whose lists have to be counted before the request may make a list; nil if it makes none, or has
    /// none.
    fileprivate func newOwner(of list: KnownList?) -> String? {
        guard case .toggle(let toggle, let character) = kind, list?.exists != true, toggle.desired != .removed,
            character != nil
        else { return nil }
        return toggle.owner.name
    }
}
