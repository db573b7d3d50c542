internal import MarvelDomain

/// A toggle or a deletion of a list, as the database gets it.
struct GroupedRequest {
    enum Kind: Equatable {
        case toggle(Toggle)
        case deletion(ListName)
    }

    let kind: Kind
    /// The key under which the answer is kept. A request without one got one from the store, so that it can be sent again
    /// when the connection was lost in its commit.
    let key: RequestKey
    /// The favorite that a toggle saves; nil if there is no snapshot.
    let saved: Favorite?

    init(_ toggle: Toggle, saving character: MarvelCharacter?, at now: Timestamp) {
        kind = .toggle(toggle)
        key = toggle.request ?? .made()
        let fits = character.flatMap { $0.id == toggle.characterID ? $0 : nil }
        saved = fits.map { Favorite(character: $0, savedAt: now) }
    }

    init(deletionOf list: ListName, _ key: RequestKey?) {
        kind = .deletion(list)
        self.key = key ?? .made()
        saved = nil
    }

    var list: ListName {
        switch kind {
        case .toggle(let toggle): toggle.list
        case .deletion(let list): list
        }
    }
}

extension RequestKey {
    /// Makes a key of a principal that no caller can be: names of callers have no line breaks.
    static func made() -> RequestKey { RequestKey(.generated(), of: "\n") }
}

/// Requests that share one transaction of the database, and their results.
enum RequestGroup {
    /// The limits that the database applies.
    struct Limits: Equatable {
        var history: HistoryID
        /// The number of lists that may still be made.
        var room: Int64
        /// The number of lists that a caller with a name may own; 0 for any number.
        var maximumListsPerOwner: Int64
        /// The number of changes of each list that are kept.
        var keptChanges: Int64
    }

    /// The effect of one request.
    struct Effect {
        var result: Result<ToggleOutcome, StoreError>
        /// The result of a deletion; nil for a toggle.
        var deletion: ListDeletion?
        /// The change, with its digest; nil if nothing changed.
        var change: LoggedChange?
        /// The list, and the revision that it has reached at least; nil if the answer names none of this history.
        var reached: (list: ListName, revision: Int64)?
        /// The damage because of which nothing changed; nil if there is none.
        var damage: DatabaseFault?
    }

    /// The column `o_status`.
    private enum Status: Int64 {
        /// Nothing changed, or the request was answered before.
        case unchanged = 0
        case changed = 1
        case characterNeeded = 2
        case listLimitReached = 3
        case requestIDReused = 4
        case ownedListLimitReached = 5
        /// A row of the list differs from what was written.
        case damaged = 6
    }

    /// Makes the parameters of `Statement.applyRequests`.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - known: A revision of the list of each that was published.
    ///   - limits: The limits.
    ///   - now: The time.
    /// - Returns: The parameters.
    static func parameters(
        _ requests: [GroupedRequest],
        _ known: [Int64],
        _ limits: Limits,
        at now: Timestamp
    ) -> Parameters {
        var parameters = Parameters()
        parameters.add(limits.history.value)
        parameters.add(limits.room)
        parameters.add(limits.maximumListsPerOwner)
        parameters.add(limits.keptChanges)
        parameters.add(now.seconds)
        parameters.add(requests.map(\.list.text))
        parameters.add(requests.map(\.characterID))
        parameters.add(requests.map(\.desired))
        parameters.add(requests.map(\.key.principal))
        parameters.add(requests.map(\.key.id.text))
        parameters.add(requests.map(\.owner))
        parameters.add(requests.map { $0.saved.map { FavoriteJSON.utf8($0) } })
        parameters.add(known)
        return parameters
    }

    /// Reads the effects of the requests, in their order.
    static func effects(
        _ requests: [GroupedRequest],
        _ rows: Rows,
        _ limits: GroupWriter.Limits
    ) throws(DatabaseFault) -> [Effect] {
        guard rows.count == requests.count else {
            throw .malformed("\(rows.count) results of \(requests.count) requests")
        }
        var effects: [Effect] = []
        effects.reserveCapacity(rows.count)
        for (row, request) in requests.enumerated() {
            guard let status = Status(rawValue: try rows.integer(row, 0)) else { throw .malformed("an unknown status") }
            switch status {
            case .characterNeeded: effects.append(Effect(result: .success(.characterNeeded)))
            case .requestIDReused: effects.append(Effect(result: .failure(.requestIDReused)))
            case .listLimitReached:
                effects.append(Effect(result: .failure(.listLimitReached(maximum: limits.maximumLists))))
            case .ownedListLimitReached:
                let maximum = request.isOfStranger ? 0 : limits.maximumListsPerOwner
                effects.append(Effect(result: .failure(.ownedListLimitReached(maximum: maximum))))
            case .damaged:
                let fault = DatabaseFault.damaged(request.list, "its rows are not as they were written")
                effects.append(Effect(result: .failure(fault.readError), damage: fault))
            case .changed, .unchanged:
                effects.append(try effect(of: request, rows, row, isChange: status == .changed))
            }
        }
        return effects
    }

    private static func effect(
        of request: GroupedRequest,
        _ rows: Rows,
        _ row: Int,
        isChange: Bool
    ) throws(DatabaseFault) -> Effect {
        let revision = try rows.integer(row, 3)
        let history = HistoryID(try rows.integer(row, 2))
        let place = FavoritesPlace(list: request.list, history: history, revision: revision)
        let flag = try rows.boolean(row, 1)
        let left = try rows.bytesIfAny(row, 5).map(Favorite.array) ?? []
        var change = FavoritesChange(revision: revision)
        var effect: Effect
        switch request.kind {
        case .deletion:
            (change.cleared, change.isDeletion) = (left, true)
            effect = Effect(result: .success(.characterNeeded))
            effect.deletion = ListDeletion(revision: revision, existed: flag, place: place)
        case .toggle:
            if flag { (change.saved, change.evicted) = (request.saved, left) } else { change.removed = left.first }
            let evicted = change.evicted
            effect = Effect(
                result: .success(.done(.init(isFavorite: flag, revision: revision, evicted: evicted, place: place)))
            )
        }
        effect.reached = (request.list, revision)
        if isChange {
            let news = ListChange(request.list, change)
            effect.change = LoggedChange(news: news, digest: try rows.integer(row, 4))
        }
        return effect
    }
}

extension GroupedRequest {
    /// Whether the caller may own no list.
    fileprivate var isOfStranger: Bool {
        if case .toggle(let toggle) = kind { toggle.owner == .stranger } else { false }
    }

    /// The name of the caller who would own a new list; empty for nobody, a space for one who may own none.
    fileprivate var owner: String {
        guard case .toggle(let toggle) = kind else { return "" }
        return switch toggle.owner {
        case .nobody: ""
        case .stranger: " "
        case .named(let name): name
        }
    }

    fileprivate var characterID: Int64 {
        if case .toggle(let toggle) = kind { toggle.characterID } else { 0 }
    }

    /// The column `desired` of an answer.
    fileprivate var desired: Int16 {
        switch kind {
        case .toggle(let toggle): toggle.desired.stored
        case .deletion: Toggle.Desired.storedDeletion
        }
    }
}

extension Toggle.Desired {
    /// The number in the column `desired` of an answer.
    var stored: Int16 {
        switch self {
        case .toggle: 0
        case .saved: 1
        case .removed: 2
        }
    }

    /// The number in that column of the answer to a deletion.
    static var storedDeletion: Int16 { 3 }
}

extension Favorite {
    /// Reads favorites from the bytes of a JSON array.
    static func array(_ text: [UInt8]) throws(DatabaseFault) -> [Favorite] {
        do {
            return try FavoriteJSON.favorites(String(decoding: text, as: UTF8.self))
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }

    /// Reads a favorite from the bytes of its JSON.
    static func stored(_ text: [UInt8]) throws(DatabaseFault) -> Favorite {
        do {
            return try FavoriteJSON.favorite(utf8: text)
        } catch {
            throw .malformed("a snapshot cannot be read: \(error)")
        }
    }
}
