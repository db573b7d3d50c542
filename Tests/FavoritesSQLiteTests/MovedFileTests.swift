internal import Foundation
internal import MarvelDomain
internal import Testing

@testable internal import FavoritesSQLite

/// The file is taken away from under an open store.
@Suite(.temporaryFolder) struct MovedFileTests {
    enum Mischief: CaseIterable {
        case move, delete, replace, deleteLog
        // An older server, which locks `STORE.lock` alone, may have it by then.
        case deleteLock, replaceLock
    }

    @Test(arguments: Mischief.allCases)
    func noToggleIsAcknowledgedIntoAFileThatIsGone(_ mischief: Mischief) async throws {
        let (log, refusals) = (OperatorLog(), OperatorLog())
        let store = try SQLiteFavoritesStore(path: path, onError: log.write, onRefusal: refusals.write)
        try await store.toggle(1)
        try make(mischief, path)

        let refusal = StoreError.notWritable("the store's file was moved, replaced or deleted")
        await #expect(throws: refusal) { try await store.toggle(2) }
        await #expect(throws: refusal) { try await store.toggle(3) }
        #expect(try await store.ids() == [1])
        #expect(refusals.lines == ["the store's file was moved, replaced or deleted"])
        #expect(log.lines.count == 1)
        await store.close()
    }

    private func make(_ mischief: Mischief, _ path: String) throws {
        let manager = FileManager.default
        switch mischief {
        case .move: try manager.moveItem(atPath: path, toPath: path + ".old")
        case .delete: try manager.removeItem(atPath: path)
        case .replace:
            try manager.copyItem(atPath: path, toPath: path + ".new")
            try manager.removeItem(atPath: path)
            try manager.moveItem(atPath: path + ".new", toPath: path)
        case .deleteLog: try manager.removeItem(atPath: path + "-wal")
        case .deleteLock: try manager.removeItem(atPath: path + ".lock")
        case .replaceLock:
            try manager.removeItem(atPath: path + ".lock")
            try Data().write(to: URL(filePath: path + ".lock"))
        }
    }
}
