internal import GRDB
internal import MarvelDomain

/// A replay of the log of a list, which compares the result with the favorites on the list.
enum LogReplay {
    static func problems(of list: ListName, in db: Database) throws -> [String] {
        var problems: [String] = []
        var log = Outcome()
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT revision, change FROM changes WHERE list = ? ORDER BY revision",
            arguments: [list.text]
        )
        while let row = try rows.next() {
            let revision: Int64 = try row.decode(atIndex: 0)
            do {
                log.play(try ChangeJSON.change(row.decode(atIndex: 1), revision: revision))
            } catch {
                problems.append("list \(list): change \(revision) cannot be read")
            }
        }
        problems += log.problems.map { "list \(list): \($0)" }
        for (id, revision, text) in try FavoritesTable.rows(on: list, in: db) {
            let favorite = try? FavoriteJSON.favorite(text)
            if favorite?.character.id != id {
                problems.append("list \(list): the record of character \(id) cannot be read")
            } else if let last = log.snapshots[id], last.favorite != favorite {
                problems.append("list \(list): character \(id) is not as change \(last.revision) left it")
            }
            switch log.memberships.removeValue(forKey: id) {
            case .removed(let removed) where removed >= revision:
                problems.append("list \(list): character \(id) is on it, and left with change \(removed)")
            case .saved(let saved) where saved != revision:
                problems.append("list \(list): character \(id) is on it since \(revision), and not since \(saved)")
            case .removed, .saved, nil: break
            }
        }
        for (id, membership) in log.memberships.sorted(by: { $0.key < $1.key }) {
            guard case .saved(let revision) = membership else { continue }
            problems.append("list \(list): character \(id) was saved by change \(revision), and is not on it")
        }
        return problems
    }

    /// The result of the replay for each character in the log.
    private struct Outcome {
        enum Membership {
            case saved(Int64)
            case removed(Int64)
        }

        var memberships: [Int64: Membership] = [:]
        /// The last saved or updated state of each favorite, and the revision of that change.
        var snapshots: [Int64: (revision: Int64, favorite: Favorite)] = [:]
        var problems: [String] = []

        mutating func play(_ change: FavoritesChange) {
            change.forEachLeavingID { id in
                memberships[id] = .removed(change.revision)
                snapshots[id] = nil
            }
            if let saved = change.saved {
                memberships[saved.character.id] = .saved(change.revision)
                snapshots[saved.character.id] = (change.revision, saved)
            }
            for favorite in change.updated {
                let id = favorite.character.id
                if case .removed(let last) = memberships[id] {
                    problems.append("change \(change.revision) updated character \(id), which left with change \(last)")
                }
                snapshots[id] = (change.revision, favorite)
            }
        }
    }
}
