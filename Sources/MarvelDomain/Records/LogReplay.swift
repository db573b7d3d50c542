/// A replay of a list's log, which compares the result with the favorites on the list.
package struct LogReplay {
    private enum Membership {
        case saved(Int64)
        case removed(Int64)
    }

    private let list: ListName
    private var memberships: [Int64: Membership] = [:]
    /// The last state of each favorite, and the revision of the change that saved or replaced it.
    private var snapshots: [Int64: (revision: Int64, favorite: Favorite)] = [:]
    package private(set) var problems: [String] = []

    package init(list: ListName) { self.list = list }

    package mutating func play(_ revision: Int64, _ text: [UInt8]) {
        do {
            var replaced: [Favorite] = []
            play(try ChangeJSON.change(utf8: text, revision: revision) { replaced.append($0) })
            for favorite in replaced { snapshots[favorite.character.id] = (revision, favorite) }
        } catch {
            note("change \(revision) cannot be read")
        }
    }

    private mutating func play(_ change: FavoritesChange) {
        change.forEachLeavingID { id in
            if case .removed(let last) = memberships[id] {
                note("change \(change.revision) removed character \(id), but change \(last) already had")
            }
            memberships[id] = .removed(change.revision)
            snapshots[id] = nil
        }
        if let saved = change.saved {
            let id = saved.character.id
            if case .saved(let last) = memberships[id] {
                note("change \(change.revision) saved character \(id), but change \(last) already had")
            }
            memberships[id] = .saved(change.revision)
            snapshots[id] = (change.revision, saved)
        }
    }

    /// Compares a favorite that is on the list with the result of the log.
    package mutating func compare(_ record: StoreRecord.Favorite) {
        let (id, revision) = (record.id, record.savedRevision)
        let favorite = try? FavoriteJSON.favorite(utf8: record.text)
        if favorite?.character.id != id {
            note("the record of character \(id) cannot be read")
        } else if let last = snapshots[id], last.favorite != favorite {
            note("character \(id) differs from change \(last.revision)")
        }
        switch memberships.removeValue(forKey: id) {
        case .removed(let removed) where removed >= revision:
            note("character \(id) is on the list, but change \(removed) removed it")
        case .saved(let saved) where saved != revision:
            note("character \(id) was saved by change \(saved), but the list says \(revision)")
        case .removed, .saved, nil: break
        }
    }

    /// Finds characters that should be on the list. Call it after comparing all favorites.
    package mutating func finish() {
        for (id, membership) in memberships.sorted(by: { $0.key < $1.key }) {
            guard case .saved(let revision) = membership else { continue }
            note("character \(id) was saved by change \(revision), but is not on the list")
        }
    }

    private mutating func note(_ problem: String) { problems.append("list \(list): \(problem)") }
}
