import ArgumentParser
import FavoritesPostgres
import FavoritesSQLite
import MarvelDomain

struct RevertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Undoes all edits of a character, and deletes an added one.",
        discussion: """
            A store in a file must not be open in a server. Servers of a database show the change within two seconds. \
            Characters are added and edited with `marvel create` and `marvel edit`.
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Argument(help: "The character's id, as `marvel search` prints it.")
    var id: Int64

    func validate() throws {
        guard id > 0 else { throw ValidationError("A character's id must be at least 1.") }
    }

    func run() async throws {
        let edited: EditedCharacter
        switch store {
        case .file(let path):
            let result = try await StoredLists.change(path, onNotice: { printError($0) }) { store in
                await Self.revert(id, in: store.edits)
            }
            edited = try result.get()
        case .database(let address):
            let database = try PostgresFavoritesStore(DatabaseAddress(address), now: { .systemClock() })
            let result = await Self.revert(id, in: database.edits)
            await database.close()
            edited = try result.get()
        }
        guard edited.revision > 0 else {
            printError("the character \(id) has no edits")
            throw ExitCode.failure
        }
        print("reverted \(id), at revision \(edited.revision)")
    }

    private static func revert(_ id: Int64, in edits: any EditStore) async -> Result<EditedCharacter, EditError> {
        do throws(EditError) {
            return .success(try await edits.write(EditOrder(.reverted(id))) { _ in false })
        } catch {
            return .failure(error)
        }
    }
}
