package import MarvelDomain

/// The decisions of a store of favorites: which changes are made, in which groups, what their callers are answered, and what
/// readers are told.
///
/// It is a value without a clock, a thread or a disk. `FavoritesDriver` carries out its steps, one at a time, on a back end:
///
///     begin(requests) ─▶ next() ─▶ .read(lists)   ─▶ read(reading)      ─▶ next() ─▶ …
///                                  .commit(group) ─▶ committed(outcome) ─▶ next() ─▶ …
///                                  either         ─▶ failed(failure)    ─▶ next() ─▶ …
///                                  .idle: nothing is begun
///
/// After each call the back end takes `effects`: it sends the events to the store's feed, and then calls the answers.
///
/// **No revision of a history is used twice.** A list's revision rises by one with each change, and a back end makes a change
/// only if the list is at the revision on which it was decided. A list of an unknown name begins above the base, which is at
/// least as high as the last revision of every name that was dropped. A new history begins above all revisions of those
/// before it that any server has seen.
///
/// **A request is done once.** Its answer is written in the transaction of its change, and each group looks for the answers
/// to its requests first. So a group whose outcome is unknown is decided again like any other: what was done is answered with
/// the answer that was kept. A request without a key is not decided again then: its caller is told that its outcome is
/// unknown.
package struct FavoritesEngine: Sendable {
    package struct Settings: Sendable {
        package var rules = ListRules()
        /// Whether others change the lists too. Then a list on which a request changes nothing is looked at all the same.
        package var isShared = false
        package var maximumCacheBytes = 64 << 20
        /// The time for which requests that were never sent wait for a back end that cannot be reached.
        package var patience = Duration.seconds(2)
        /// The time after which a request is given up whose outcome is unknown.
        package var maximumTimeInDoubt = Duration.seconds(10)
        /// The time after which a request that waits is refused, and not begun: its caller is about to time out, or has timed out.
        package var maximumWait = Duration.seconds(5)

        package init() {}
    }

    /// The next thing to do with the back end.
    package enum Step: Sendable {
        case idle
        case read(WantedLists)
        case commit(ChangeGroup)
    }

    /// The reason why a step was not carried out.
    package enum Failure: Error {
        /// All requests of the step are answered with the error.
        case refused(StoreError)
        /// Something in the group cannot be done. Its requests are decided one by one, so that only those are answered with the
        /// error that cause it.
        case rejected(StoreError)
        /// The back end cannot be reached, or has undone the step: nothing of it was carried out.
        case unreachable(String)
        /// The step may have been carried out.
        case inDoubt(String)
    }

    /// The effects of a step on others: the events first, in their order, and then the answers.
    package struct Effects: Sendable {
        package fileprivate(set) var events: [StoreEvent] = []
        fileprivate var answers: [Answered] = []

        package func answer() {
            // A loop over the answers would copy each of them.
            for place in answers.indices { answers[place].request.reply.answer(answers[place].answer) }
        }
    }

    /// It is no tuple, because those are freed by a generic function of the runtime.
    fileprivate struct Answered {
        let request: FavoritesRequest
        let answer: Result<FavoritesRequest.Answer, StoreError>
    }

    /// A request that is not answered yet, and may be with the back end.
    struct Begun: Sendable {
        let request: FavoritesRequest
        /// The time at which it was begun (`sinceOrigin`).
        let since: Duration
        /// Whether it may have been done.
        var isInDoubt = false
        /// The groups in a row that others' changes of its list were in the way of.
        var lossCount = 0
        /// The answer that was kept for it, which it gets when its list is known to have reached that.
        var kept: Kept?
    }

    /// It is an object because few requests have one, and all are copied.
    final class Kept: Sendable {
        let answer: AnsweredRequest

        init(_ answer: AnsweredRequest) { self.answer = answer }
    }

    private var settings: Settings
    package private(set) var history: HistoryID
    /// The revision with which lists of unknown names begin.
    private var base: Int64
    /// The number of lists that exist. The feed of a shared back end sets it: other servers change it too.
    package var listCount: Int
    private var lists: GenerationalCache<ListName, CachedList>
    /// Lists that cannot be read, until the requests that wait for them are decided.
    private var refused: [ListName: StoreError] = [:]
    /// The numbers of lists of owners, until the requests that wait for them are decided.
    private var ownedCounts: [String: Int] = [:]
    /// Whether the number of lists was read since the last group.
    private var isCountFresh = false
    /// The requests to decide, in their order.
    private var begun: [Begun] = []
    /// The number of requests, from the first one, that are decided one by one.
    private var aloneCount = 0
    /// The number of those that were rejected in a row.
    private var rejectionCount = 0
    /// The lists that alone are decided next, because the back end holds them.
    private var held: Set<ListName>?
    /// The group that the back end has.
    private var group: ChangeGroup?
    /// The number of groups that were decided.
    private var groupCount = 0
    /// Whether the last step was a read.
    private var hasRead = false
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
        lists = GenerationalCache(maximumBytes: settings.maximumCacheBytes)
    }

    package mutating func takeEffects() -> Effects {
        defer { effects = Effects() }
        return effects
    }

    /// The number of favorites that a list may hold after a save.
    package var capacity: Int {
        get { settings.rules.capacity }
        set { settings.rules.capacity = newValue }
    }

    // MARK: Steps

    /// Begins requests, in their order. Those whose callers have left, or have waited too long, are refused.
    package mutating func begin(_ requests: [FavoritesRequest], at now: ContinuousClock.Instant) {
        let earliest = now - settings.maximumWait
        let since = now.sinceOrigin
        begun.reserveCapacity(begun.count + requests.count)
        for request in requests {
            if !request.isReplacement, let refusal = request.refusal(at: now, arrivedAfter: earliest) {
                answer(request, .failure(refusal))
            } else {
                begun.append(Begun(request: request, since: since))
            }
        }
    }

    /// Whether requests are begun that are not with the back end.
    package var hasWork: Bool { !begun.isEmpty }

    /// The number of such requests.
    package var begunCount: Int { begun.count }

    /// Whether requests may be begun now: also while others wait, so that a list which is changed all the time does not delay the
    /// rest. After a read they may not, because they may need another read, and delay those before them.
    package var takesRequests: Bool { begun.isEmpty || !hasRead }

    /// Decides on the next step.
    ///
    /// - Parameter now: The time of what is saved.
    /// - Returns: The step.
    package mutating func next(at now: Timestamp) -> Step {
        hasRead = false
        while !begun.isEmpty {
            let wanted = held == nil ? wantedLists() : WantedLists()
            // If the cache is full, the requests whose lists are in it are decided before others are read.
            guard wanted.isEmpty || lists.isFull else { return read(wanted) }
            let group = decide(at: now)
            lists.trim()
            guard group.requests.isEmpty else {
                self.group = group
                return .commit(group)
            }
            guard wanted.isEmpty else { return read(wanted) }
        }
        return .idle
    }

    private mutating func read(_ wanted: WantedLists) -> Step {
        if wanted.isContended { held = Set(wanted.lists.map(\.name)) }
        hasRead = true
        return .read(wanted)
    }

    /// The number of groups in a row that a request may lose against others' changes before its list is held.
    private static let maximumLosses = 3
    /// The number of favorites that are read at once, unless fewer lists than `minimumListsRead` hold more.
    private static let maximumFavoritesRead = 4_096
    private static let minimumListsRead = 16

    /// Returns whether a request has lost so often that its list has to be held while it is read. An unknown name cannot be held.
    private func isContended(_ begun: Begun) -> Bool {
        guard begun.lossCount >= Self.maximumLosses, let entry = lists[begun.request.list] else { return false }
        return entry.isStale && !entry.list.isUnknown && refused[begun.request.list] == nil
    }

    private mutating func wantedLists() -> WantedLists {
        var wanted = WantedLists()
        let maximum = max(Self.minimumListsRead, Self.maximumFavoritesRead / max(1, capacity))
        wanted.isContended = begun.contains { isContended($0) }
        var (seen, deleted): (Set<ListName>, Set<ListName>) = ([], [])
        for place in begun.indices where !wanted.isContended || isContended(begun[place]) {
            let request = begun[place].request
            let name = request.list
            let entry = lists.use(name) { entry in
                (
                    isStale: entry.isStale, exists: entry.list.exists,
                    revision: entry.list.isUnknown ? nil : entry.list.revision
                )
            }
            if entry?.isStale ?? true, refused[name] == nil, seen.insert(name).inserted {
                wanted.lists.append((name, entry?.revision))
            }
            if case .deletion = request.kind { deleted.insert(name) }
            if begun[place].kept == nil {
                // While a list is held, no second read may be needed.
                let mayMakeList = !(entry?.exists ?? false) || deleted.contains(name) || wanted.isContended
                if mayMakeList, settings.rules.maximumListsPerOwner > 0, let owner = request.owner,
                    ownedCounts[owner] == nil
                {
                    wanted.owners.insert(owner)
                }
            }
            if wanted.lists.count == maximum { break }
        }
        return wanted
    }

    /// Takes the lists that the back end has read. Lists of another history are requested again.
    ///
    /// - Parameters:
    ///   - reading: What was read.
    ///   - published: Returns the revision of a list of a shared back end up to which its changes were published; nil if that is
    ///     not known.
    package mutating func read(_ reading: ListReading, published: (ListName) -> Int64? = { _ in nil }) {
        guard reading.history == history else { return }
        if let facts = reading.facts {
            (listCount, base) = facts
            isCountFresh = true
        }
        ownedCounts.merge(reading.ownedCounts) { _, new in new }
        received(reading.changes)
        for (name, result) in reading.lists {
            switch result {
            case .success(let list): take(list, of: name, published: published(name))
            case .failure(let error):
                lists[name] = nil
                refused[name] = error
            }
        }
    }

    private mutating func take(_ list: KnownList, of name: ListName, published: Int64?) {
        // All changes of a list that nobody else changes were published.
        var entry = lists[name] ?? CachedList(list: list, published: settings.isShared ? published : list.revision)
        entry.isStale = false
        // The feed may have brought later changes meanwhile.
        if entry.list.isUnknown || entry.list.revision <= list.revision {
            if let news = entry.reach(list, of: name) { effects.events.append(.changed([news])) }
            entry.list = list
        }
        lists[name] = entry
    }

    /// Takes the outcome of the group, which is durable.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - now: The time, after which requests that lost against others for too long are not decided again.
    package mutating func committed(_ outcome: GroupOutcome, at now: ContinuousClock.Instant) {
        guard let group = group.take() else { return }
        rejectionCount = 0
        var news: [ListChange] = []
        if group.history == history {
            base = outcome.base ?? base
            for place in group.lists.indices { take(outcome.lists[place], of: group.lists[place], &news) }
            for name in outcome.dropped { lists[name] = nil }
        }
        if !news.isEmpty { effects.events.append(.changed(news)) }
        var again: [Begun] = []
        // The answers for repeats that are begun; most groups have none.
        var kept: [RequestKey: AnsweredRequest] = [:]
        effects.answers.reserveCapacity(effects.answers.count + group.requests.count)
        // A loop over the requests would copy each of them.
        for place in group.requests.indices {
            if let repeated = outcome.repeated[place] {
                switch repeated {
                case .success(let answered):
                    if let key = group.requests[place].key { kept[key] = answered }
                    again.append(group.requests[place].begun)
                case .failure(let error): answer(group.requests[place].begun.request, .failure(error))
                }
                continue
            }
            switch group.requests[place].list.map({ outcome.lists[$0] }) {
            case .refused(let error): answer(group.requests[place].begun.request, .failure(error))
            case .skipped: again.append(group.requests[place].begun)
            case .conflict:
                again.append(group.requests[place].begun)
                again[again.count - 1].lossCount += 1
            case .applied(let changes):
                if !begun.isEmpty, let key = group.requests[place].key {
                    kept[key] = group.requests[place].answered(in: group.history, by: changes)
                }
                let result = group.requests[place].answer(in: group.history, by: changes)
                answer(group.requests[place].begun.request, result)
            case nil:
                answer(group.requests[place].begun.request, group.requests[place].answer(in: group.history, by: []))
            }
        }
        let time = now.sinceOrigin
        begun = (again + begun).compactMap { begun in
            if let answered = begun.request.key.flatMap({ kept[$0] }) { return repeated(begun, answered) }
            guard begun.since + settings.maximumWait <= time, !begun.request.isReplacement else { return begun }
            let text = "other changes of the list were in the way"
            answer(begun.request, .failure(begun.isInDoubt ? .outcomeUnknown(text) : .overloaded))
            return nil
        }
    }

    /// Answers a request with the answer that was kept. If others may have made the list reach it, that is published first.
    ///
    /// - Returns: The request, if it is answered later.
    private mutating func repeated(_ begun: Begun, _ kept: AnsweredRequest) -> Begun? {
        guard settings.isShared, let position = kept.position, position.history == history,
            position.revision > lists[begun.request.list]?.published ?? -1
        else {
            answer(begun.request, begun.request.answer(kept: kept))
            return nil
        }
        markStale(begun.request.list)
        var begun = begun
        begun.kept = Kept(kept)
        return begun
    }

    private mutating func take(_ result: GroupOutcome.ListResult, of list: ChangeGroup.List, _ news: inout [ListChange])
    {
        switch result {
        case .applied(let changes):
            listCount += (list.after.exists ? 1 : 0) - (list.before.exists ? 1 : 0)
            let isShared = settings.isShared
            func commit(_ entry: inout CachedList) {
                let (gap, made) = entry.committed(changes, of: list, isShared: isShared)
                if let gap { news.append(gap) }
                news += made
            }
            guard !lists.update(list.name, commit) else { return }
            var entry = CachedList(list: list.before)
            commit(&entry)
            lists[list.name] = entry
        case .skipped: if settings.isShared { markStale(list.name) }
        case .conflict: markStale(list.name)
        case .refused: forget(list.name)
        }
    }

    private mutating func markStale(_ name: ListName) { lists.update(name) { $0.isStale = true } }

    /// Takes the failure of a step. The requests that are not answered are decided again in the next one.
    package mutating func failed(_ failure: Failure, at now: ContinuousClock.Instant) {
        let group = group.take()
        let sent = group?.requests.map(\.begun) ?? []
        held = nil
        switch failure {
        case .rejected where sent.count > 1:
            begun = sent + begun
            (aloneCount, rejectionCount) = (sent.count, 0)
        case .rejected(let error) where sent.count == 1:
            rejectionCount += 1
            // After so many, it is no request of the group that causes it.
            let others = rejectionCount < Self.maximumRejections ? 0 : min(aloneCount, begun.count)
            for begun in sent + begun.prefix(others) { refuse(begun, error) }
            begun.removeFirst(others)
            aloneCount -= others
        case .refused(let error), .rejected(let error):
            let failed = group == nil ? begun : sent
            if group == nil { begun = [] }
            for begun in failed { refuse(begun, error) }
        case .inDoubt(let reason):
            for list in group?.lists ?? [] { markStale(list.name) }
            begun = sent.compactMap { sent in doubt(sent, reason) } + begun
            giveUp(reason, at: now)
        case .unreachable(let reason):
            begun = sent + begun
            giveUp(reason, at: now)
        }
    }

    /// The number of requests that may be rejected one by one, in a row, before the others of their group are refused too.
    private static let maximumRejections = 4

    private mutating func refuse(_ begun: Begun, _ error: StoreError) {
        let unknown = StoreError.outcomeUnknown("an earlier attempt was refused")
        answer(begun.request, .failure(begun.isInDoubt ? unknown : error))
    }

    /// Returns a request that may have been done, to be decided again. One without a key is answered: a repeat of it would
    /// not be recognized.
    private mutating func doubt(_ begun: Begun, _ reason: String) -> Begun? {
        guard begun.request.key != nil else {
            answer(begun.request, .failure(.outcomeUnknown(reason)))
            return nil
        }
        return Begun(request: begun.request, since: begun.since, isInDoubt: true, lossCount: begun.lossCount)
    }

    /// Gives up the requests that have waited for too long for a back end that cannot be reached.
    private mutating func giveUp(_ reason: String, at now: ContinuousClock.Instant) {
        var left: [Begun] = []
        let time = now.sinceOrigin
        for begun in begun {
            let patience = begun.isInDoubt ? settings.maximumTimeInDoubt : settings.patience
            if begun.since + patience > time {
                left.append(begun)
            } else {
                answer(begun.request, .failure(begun.isInDoubt ? .outcomeUnknown(reason) : .unavailable(reason)))
            }
        }
        begun = left
    }

    private mutating func answer(_ request: FavoritesRequest, _ answer: Result<FavoritesRequest.Answer, StoreError>) {
        effects.answers.append(Answered(request: request, answer: answer))
    }

    // MARK: News

    /// Takes changes that the feed of a shared back end brings: those of others, and this engine's own. Those of each list
    /// come in the order of their revisions, and may come again.
    package mutating func received(_ changes: [ListChange]) {
        let news = changes.filter { change in
            var isNew = true
            lists.update(change.list) { isNew = $0.receive(change) }
            return isNew
        }
        if !news.isEmpty { effects.events.append(.changed(news)) }
        if begun.isEmpty, group == nil { lists.trim() }
    }

    /// Forgets what is known of a list, because its rows are damaged.
    package mutating func forget(_ list: ListName) { lists[list] = nil }

    /// Forgets all lists, because events of the feed may be missing.
    package mutating func lost() {
        lists.removeAll()
        effects.events.append(.lost)
    }

    /// Continues in another history. A group in flight belongs to the previous one.
    package mutating func renewed(_ history: HistoryID, base: Int64) {
        (self.history, self.base) = (history, base)
        lists.removeAll()
        effects.events.append(.renewed(history))
    }

    /// Returns the revision of a list up to which its changes were published; nil if that is not known.
    package func publishedRevision(of list: ListName) -> Int64? { lists[list]?.published }

    // MARK: Decisions

    /// Decides the requests whose lists are known, in their order, each on the effect of those before it. Those that cannot be in
    /// one group with them wait for the next one, and so do all later ones of their lists.
    private mutating func decide(at now: Timestamp) -> ChangeGroup {
        groupCount += 1
        var draft = Draft(
            ChangeGroup(history: history, time: now),
            number: groupCount,
            base: base,
            listCount: listCount,
            ownedCounts,
            requestCount: begun.count
        )
        let begun = begun
        self.begun = []
        // A loop over the requests would copy each of them.
        for place in begun.indices {
            let request = begun[place].request
            let isNext = (aloneCount == 0 || draft.group.requests.isEmpty) && held?.contains(request.list) ?? true
            if isNext, let kept = begun[place].kept, isReadable(request.list) {
                answer(request, request.answer(kept: kept.answer))
            } else if isNext, begun[place].kept == nil, draft.admits(request),
                let (plan, list) = plan(request, in: &draft, at: now)
            {
                if let answer = draft.add(begun[place], plan, of: list) { self.answer(request, answer) }
            } else {
                draft.close(request.list)
                self.begun.append(begun[place])
            }
        }
        draft.group.isHeld = held != nil
        if aloneCount > 0, !draft.group.requests.isEmpty { aloneCount -= 1 }
        (refused, ownedCounts, isCountFresh, held) = ([:], [:], false, nil)
        return draft.group
    }

    /// Returns whether a list is known as it is, or cannot be read.
    private func isReadable(_ name: ListName) -> Bool { refused[name] != nil || lists[name]?.isStale == false }

    /// Decides a request.
    ///
    /// - Returns: The decision, and the place of the list in the group, if it is there; nil if it cannot be made now.
    private mutating func plan(
        _ request: FavoritesRequest,
        in draft: inout Draft,
        at now: Timestamp
    ) -> (ChangeGroup.Plan, list: Int?)? {
        if let error = refused[request.list] { return (.refused(error), nil) }
        var plan: (ChangeGroup.Plan, list: Int?)?
        lists.update(request.list) { [settings] entry in
            plan = draft.plan(request, on: &entry, settings, at: now)
        }
        if case .refused(.listLimitReached) = plan?.0, settings.isShared, !isCountFresh {
            // Others may have deleted some.
            markStale(request.list)
            return nil
        }
        return plan
    }

    /// A group while it is made.
    private struct Draft {
        var group: ChangeGroup
        /// The number of the group, by which the places of its lists count.
        private let number: Int
        private let base: Int64
        /// The numbers of lists. They only rise: a deletion of the group may fail.
        private var listCount: Int
        private var ownedCounts: [String: Int]
        /// Whether the group makes or deletes lists.
        private var changesCounts = false
        private var keys: Set<RequestKey> = []
        /// The lists whose further requests wait for the next group.
        private var closed: Set<ListName> = []

        init(
            _ group: ChangeGroup,
            number: Int,
            base: Int64,
            listCount: Int,
            _ ownedCounts: [String: Int],
            requestCount: Int
        ) {
            (self.group, self.number, self.base) = (group, number, base)
            (self.listCount, self.ownedCounts) = (listCount, ownedCounts)
            self.group.requests.reserveCapacity(requestCount)
            keys.reserveCapacity(requestCount)
        }

        mutating func close(_ name: ListName) { closed.insert(name) }

        /// Returns whether a request may be in the group. A key is in it once: the repeat gets the answer that is kept then.
        mutating func admits(_ request: FavoritesRequest) -> Bool {
            guard !closed.contains(request.list) else { return false }
            return request.key.map { keys.insert($0).inserted } ?? true
        }

        /// - Returns: The decision, and the place of the list, if it need be looked at; nil if a limit depends on what becomes of
        ///   the group.
        mutating func plan(
            _ request: FavoritesRequest,
            on entry: inout CachedList,
            _ settings: Settings,
            at now: Timestamp
        ) -> (ChangeGroup.Plan, list: Int?)? {
            guard let place = place(of: request.list, &entry) else { return nil }
            let plan = plan(request.kind, at: place, settings.rules, at: now)
            // Nobody else changes it, so it need not be looked at.
            if !settings.isShared, group.lists[place].edits.isEmpty {
                group.lists.removeLast()
                entry.place = nil
                return plan.map { ($0, nil) }
            }
            return plan.map { ($0, place) }
        }

        /// Returns the place of a list in the group, to which it is added; nil if it may have changed since it was read.
        private mutating func place(of name: ListName, _ entry: inout CachedList) -> Int? {
            if let place = entry.place, place.group == number { return place.list }
            guard !entry.isStale else { return nil }
            entry.place = (number, group.lists.count)
            var list = entry.list
            // The base may have risen since an unknown name was read.
            if list.isUnknown { list.revision = base }
            group.lists.append(ChangeGroup.List(name, list))
            return group.lists.count - 1
        }

        private mutating func plan(
            _ kind: FavoritesRequest.Kind,
            at place: Int,
            _ rules: ListRules,
            at now: Timestamp
        ) -> ChangeGroup.Plan? {
            let (revision, exists) = (group.lists[place].after.revision, group.lists[place].after.exists)
            switch kind {
            case .toggle(let toggle, let character):
                switch decide(toggle, saving: character, at: place, rules, at: now) {
                case .nothing(let isFavorite): return .toggle(isFavorite: isFavorite, revision: revision, edit: nil)
                case .characterNeeded: return .characterNeeded
                case .refused(let error): return changesCounts ? nil : .refused(error)
                case .edit(let edit):
                    let isFavorite = edit.saved != nil
                    let number = add(edit, to: place, of: toggle.owner)
                    return .toggle(isFavorite: isFavorite, revision: revision + 1, edit: number)
                case nil: return nil
                }
            case .deletion:
                guard exists else { return .deletion(existed: false, revision: revision) }
                delete(place)
                return .deletion(existed: true, revision: revision + 1)
            case .replacement(_, let favorites, let owner):
                if exists { delete(place) }
                // A list without favorites is made by a change without content.
                for edit in favorites.isEmpty ? [ListEdit()] : favorites.map({ ListEdit(saved: $0) }) {
                    _ = add(edit, to: place, of: owner)
                }
                return .replaced
            }
        }

        /// Returns nil if the owner's lists were not counted.
        private func decide(
            _ toggle: Toggle,
            saving character: MarvelCharacter?,
            at place: Int,
            _ rules: ListRules,
            at now: Timestamp
        ) -> ListDecision? {
            let subject = ListRules.Subject(
                ids: group.lists[place].after.ids,
                exists: group.lists[place].after.exists,
                listCount: listCount
            )
            var isCounted = true
            let decision = rules.decide(toggle, on: subject, saving: character, at: now) { owner in
                isCounted = ownedCounts[owner] != nil
                return ownedCounts[owner] ?? .max
            }
            return isCounted ? decision : nil
        }

        private mutating func delete(_ place: Int) {
            _ = add(ListRules.deletion(of: group.lists[place].after.ids), to: place)
        }

        private mutating func add(_ edit: consuming ListEdit, to place: Int, of owner: ListOwner = .nobody) -> Int {
            let existed = group.lists[place].after.exists
            let isDeletion = edit.isDeletion
            let number = group.add(edit, to: place, of: owner)
            guard existed == isDeletion else { return number }
            changesCounts = true
            if !existed {
                listCount += 1
                if let owner = group.lists[place].after.owner { ownedCounts[owner]? += 1 }
            }
            return number
        }

        /// Adds a request to the group.
        ///
        /// - Returns: Its answer if the back end need not be asked: nothing is written, no key may have been answered before,
        ///   and it does not depend on changes that may fail.
        mutating func add(
            _ begun: Begun,
            _ plan: ChangeGroup.Plan,
            of list: Int?
        ) -> Result<FavoritesRequest.Answer, StoreError>? {
            let isAnswered = list == nil && begun.request.key == nil
            let request = ChangeGroup.Request(list: list, begun: begun, plan: plan)
            if isAnswered { return request.answer(in: group.history, by: []) }
            group.requests.append(request)
            return nil
        }
    }
}

extension ContinuousClock.Instant {
    private static let origin = ContinuousClock.now

    /// The time since an instant that is the same in the whole process. The compiler does not know the size of an instant, so
    /// each copy of a request would be a call. Only differences of these times are used.
    fileprivate var sinceOrigin: Duration { Self.origin.duration(to: self) }
}

extension AnsweredRequest {
    /// The history in which the answer counts, and its revision there; nil for an edit.
    fileprivate var position: (history: HistoryID, revision: Int64)? {
        switch self {
        case .toggle(let toggle, let answer): answer.place?.position(on: toggle.list)
        case .deletion(let list, let answer): answer.place?.position(on: list)
        case .edit: nil
        }
    }
}

extension FavoritesRequest {
    fileprivate var isReplacement: Bool {
        if case .replacement = kind { true } else { false }
    }

    /// The name of the caller who would own a list that the request makes; nil if it makes none, or the caller has no name.
    fileprivate var owner: String? {
        guard case .toggle(let toggle, let character) = kind, toggle.desired != .removed, character != nil else {
            return nil
        }
        return toggle.owner.name
    }
}
