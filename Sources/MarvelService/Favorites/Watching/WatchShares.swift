internal import MarvelDomain
internal import RPCCore

/// The watches that are open, in total and by list, and the callers that share the places for them.
///
/// When all places are taken, the caller that holds the most pays for a new watch with its newest one. So n callers that
/// want as much as they can get have an n-th of the places each. A caller is refused only if no other holds more than it
/// would hold then, and its first watch never: if nobody holds more than one, there are as many watches as callers, and
/// the number of connections is their limit.
///
/// To begin or end a watch takes the same time however many there are, but for the other watches of its caller: those
/// are at most as many as the calls on a connection.
struct WatchShares: Sendable {
    typealias Ticket = UInt64

    /// A limit that was reached, with the number of watches that it allows.
    enum Limit: Sendable, Hashable {
        case total(Int)
        case list(Int)
        case caller(Int)
    }

    enum OnBegin: Sendable, Hashable {
        case begin
        /// It begins, and that other watch ends: its caller holds the most.
        case displace(Ticket, Limit)
        /// It does not begin: nobody holds more than its caller would hold then.
        case refuse(Limit)
    }

    private struct Watch {
        let caller: CallerID
        let list: ListName
    }

    private let limits: WatchLimits
    private var watches: [Ticket: Watch] = [:]
    private var all = WatchHolders()
    /// The lists that are watched; none of them has no watch.
    private var lists: [ListName: WatchHolders] = [:]

    init(_ limits: WatchLimits) { self.limits = limits }

    var count: Int { watches.count }

    func count(of list: ListName) -> Int { lists[list]?.count ?? 0 }

    /// Begins a watch if there is a place for it.
    ///
    /// - Parameters:
    ///   - ticket: Its number, higher than that of every watch before.
    ///   - caller: The caller that holds it.
    ///   - list: The list that is watched.
    /// - Returns: Whether it began, and the watch that ended in its place.
    mutating func begin(_ ticket: Ticket, of caller: CallerID, on list: ListName) -> OnBegin {
        let maximum = limits.maximumWatchesPerCaller.maximum(of: caller)
        guard all.count(of: caller) < maximum else { return .refuse(.caller(maximum)) }
        let ofList = lists[list, default: WatchHolders()].admission(of: caller, maximum: limits.maximumWatchesPerList)
        // A watch that takes the place of another one of its list takes no further place in total.
        let inTotal = ofList == .admit ? all.admission(of: caller, maximum: limits.maximumWatches) : .admit
        switch (ofList, inTotal) {
        case (.refuse, _):
            return .refuse(.list(limits.maximumWatchesPerList))
        case (_, .refuse):
            return .refuse(.total(limits.maximumWatches))
        case (.admit, .admit):
            insert(ticket, of: caller, on: list)
            return .begin
        case (.displace(let other), _):
            end(other)
            insert(ticket, of: caller, on: list)
            return .displace(other, .list(limits.maximumWatchesPerList))
        case (.admit, .displace(let other)):
            end(other)
            insert(ticket, of: caller, on: list)
            return .displace(other, .total(limits.maximumWatches))
        }
    }

    /// Ends a watch, unless it was displaced before.
    mutating func end(_ ticket: Ticket) {
        guard let watch = watches.removeValue(forKey: ticket) else { return }
        all.remove(ticket, of: watch.caller)
        lists[watch.list]?.remove(ticket, of: watch.caller)
        if lists[watch.list]?.count == 0 { lists[watch.list] = nil }
    }

    private mutating func insert(_ ticket: Ticket, of caller: CallerID, on list: ListName) {
        watches[ticket] = Watch(caller: caller, list: list)
        all.insert(ticket, of: caller)
        lists[list, default: WatchHolders()].insert(ticket, of: caller)
    }
}

/// The callers that hold watches, ordered by how many they hold.
private struct WatchHolders {
    enum Admission: Equatable {
        case admit
        /// Only in place of that other watch.
        case displace(WatchShares.Ticket)
        case refuse
    }

    private struct Holder {
        /// The oldest watch comes first.
        var tickets: [WatchShares.Ticket] = []
        /// The caller's index among those that hold as many.
        var index = 0

        mutating func remove(_ ticket: WatchShares.Ticket) {
            guard let place = tickets.lastIndex(of: ticket) else { return }
            tickets.remove(at: place)
        }
    }

    private(set) var count = 0
    private var holders: [CallerID: Holder] = [:]
    /// The callers that hold one watch, two watches, and so on. The last rank is never empty.
    private var ranks: [[CallerID]] = []

    func count(of caller: CallerID) -> Int { holders[caller]?.tickets.count ?? 0 }

    func admission(of caller: CallerID, maximum: Int) -> Admission {
        guard count >= maximum else { return .admit }
        let held = count(of: caller)
        if ranks.count > held + 1, let largest = ranks.last?.last, let newest = holders[largest]?.tickets.last {
            return .displace(newest)
        }
        return held == 0 ? .admit : .refuse
    }

    mutating func insert(_ ticket: WatchShares.Ticket, of caller: CallerID) {
        leaveRank(caller)
        holders[caller, default: Holder()].tickets.append(ticket)
        enterRank(caller)
        count += 1
    }

    mutating func remove(_ ticket: WatchShares.Ticket, of caller: CallerID) {
        leaveRank(caller)
        holders[caller]?.remove(ticket)
        enterRank(caller)
        while ranks.last?.isEmpty == true { ranks.removeLast() }
        count -= 1
    }

    /// Removes a caller from its rank. The last caller of the rank takes its index.
    private mutating func leaveRank(_ caller: CallerID) {
        guard let holder = holders[caller] else { return }
        let rank = holder.tickets.count - 1
        guard let last = ranks[rank].popLast(), last != caller else { return }
        ranks[rank][holder.index] = last
        holders[last]?.index = holder.index
    }

    /// Adds a caller to the rank of its number of watches, or forgets it if it has none.
    private mutating func enterRank(_ caller: CallerID) {
        guard let held = holders[caller]?.tickets.count, held > 0 else { return holders[caller] = nil }
        if ranks.count < held { ranks.append([]) }
        holders[caller]?.index = ranks[held - 1].count
        ranks[held - 1].append(caller)
    }
}
