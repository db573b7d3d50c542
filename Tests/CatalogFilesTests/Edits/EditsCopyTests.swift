import CatalogEdits
import Foundation
import MarvelDomain
import Testing

@testable import CatalogFiles

/// Copies of the edits of a database in a file.
@Suite struct EditsCopyTests {
    private typealias Edit = (edited: EditedCharacter, picture: Picture?)

    private let folder = FileManager.default.temporaryDirectory.path + "/edits-\(UUID().uuidString)"
    private var path: String { folder + "/copy.edits" }

    private let edits: [Edit] = {
        let now = Timestamp(seconds: 1_700_000_000)
        let (edit, none) = (CharacterEdit(name: "Joe Fixit", comicCount: 3), CharacterEdit())
        return [
            (EditedCharacter(id: 7, kind: .edited, edit: edit, editedAt: now, revision: 4), nil),
            (EditedCharacter(id: 9, kind: .reverted, edit: none, editedAt: now, revision: 6), nil),
            (
                EditedCharacter(id: 8, kind: .edited, edit: edit, pictureType: .gif, editedAt: now, revision: 9),
                Picture(bytes: Array("GIF89a.".utf8), mediaType: .gif)
            ),
        ]
    }()

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func write(_ edits: [Edit], overwriting: Bool = false) throws -> Int {
        try EditsCopy.write(to: path, overwriting: overwriting) { write in
            for edit in edits { try write(edit.edited, edit.picture) }
        }
    }

    private func read() throws -> [Edit] {
        var edits: [Edit] = []
        try EditsCopy.read(path, isOptional: true) { edits.append(($0, $1)) }
        return edits
    }

    @Test func whatIsWrittenIsReadAndIsAStoreOfEdits() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try write(edits) == 3)
        let copied = try read()
        #expect(copied.map(\.edited) == edits.map(\.edited))
        #expect(copied.map(\.picture) == edits.map(\.picture))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["copy.edits"])
        let store = try SQLiteEditStore(path: path, now: { Timestamp(seconds: 1_700_000_001) })
        #expect(try await store.edits(after: 0) == edits.map(\.edited))
        #expect(try await store.write(EditOrder(.reverted(7))) { _ in false }.revision == 10)
        store.close()
    }

    @Test func aFileIsReplacedOnlyByAWholeOneAndOnlyIfItMayBe() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try write(edits) == 3)
        #expect(throws: EditsOpenError.self) { try write(edits) }
        #expect(throws: CancellationError.self) {
            try EditsCopy.write(to: path, overwriting: true) { _ in throw CancellationError() }
        }
        #expect(try read().count == 3)
        #expect(try write(Array(edits.prefix(1)), overwriting: true) == 1)
        #expect(try read().count == 1)
        #expect(try write([], overwriting: true) == 0)
        #expect(try read().isEmpty, "edits of an earlier copy do not belong to one without edits")
        #expect(throws: EditsOpenError.self) { try EditsCopy.read(path, isOptional: false) { _, _ in } }
    }
}
