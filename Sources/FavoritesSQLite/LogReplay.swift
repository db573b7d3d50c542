internal import GRDB
internal import MarvelDomain

/// Plays the log of a list again, and compares what it comes to with what is on the list.
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
                log.play(try ChangeSnapshot.change(row.decode(atIndex: 1), revision: revision))
            } catch {
                problems.append("list \(list): change \(revision) cannot be read")
            }
        }
        problems += log.problems.map { "list \(list): \($0)" }
        for (id, revision, text) in try FavoritesTable.rows(on: list, in: db) {
            let favorite = try? FavoriteSnapshot.favorite(text)
            if favorite?.character.id != id {
                problems.append("list \(list): the record of character \(id) cannot be read")
            } else if let last = log.snapshots[id], last.favorite != favorite {
                problems.append("list \(list): character \(id) is not as change \(last.revision) left it")
            }
            switch log.fates.removeValue(forKey: id) {
            case .left(let left) where left >= revision:
                problems.append("list \(list): character \(id) is on it, and left with change \(left)")
            case .saved(let saved) where saved != revision:
                problems.append("list \(list): character \(id) is on it since \(revision), and not since \(saved)")
            case .left, .saved, nil: break
            }
        }
        for (id, fate) in log.fates.sorted(by: { $0.key < $1.key }) {
            guard case .saved(let revision) = fate else { continue }
            problems.append("list \(list): character \(id) was saved by change \(revision), and is not on it")
        }
        return problems
    }

    /// What became of each character that the log names.
    private struct Outcome {
        enum Fate {
            case saved(Int64)
            case left(Int64)
        }

        var fates: [Int64: Fate] = [:]
        /// Each favorite as it was last saved or updated, and by which change.
        var snapshots: [Int64: (revision: Int64, favorite: Favorite)] = [:]
        var problems: [String] = []

        mutating func play(_ change: FavoritesChange) {
            for favorite in change.evicted + change.cleared + [change.removed].compactMap(\.self) {
                fates[favorite.character.id] = .left(change.revision)
                snapshots[favorite.character.id] = nil
            }
            if let saved = change.saved {
                fates[saved.character.id] = .saved(change.revision)
                snapshots[saved.character.id] = (change.revision, saved)
            }
            for favorite in change.updated {
                let id = favorite.character.id
                if case .left(let left) = fates[id] {
                    problems.append("change \(change.revision) updated character \(id), which left with change \(left)")
                }
                snapshots[id] = (change.revision, favorite)
            }
        }
    }
}
