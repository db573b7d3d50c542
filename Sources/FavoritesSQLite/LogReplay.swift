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
            let revision: Int64 = row[0]
            do {
                log.play(try ChangeSnapshot.change(row[1], revision: revision))
            } catch {
                problems.append("list \(list): change \(revision) cannot be read")
            }
        }
        for (id, revision, text) in try FavoritesTable.rows(on: list, in: db) {
            if (try? FavoriteSnapshot.favorite(text))?.character.id != id {
                problems.append("list \(list): the record of character \(id) cannot be read")
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

        mutating func play(_ change: FavoritesChange) {
            for favorite in change.evicted + [change.removed].compactMap(\.self) {
                fates[favorite.character.id] = .left(change.revision)
            }
            if let saved = change.saved { fates[saved.character.id] = .saved(change.revision) }
        }
    }
}
