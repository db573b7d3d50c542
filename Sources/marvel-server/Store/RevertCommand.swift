import ArgumentParser
import Catalog
import FavoritesPostgres
import FavoritesSQLite

struct RevertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Undoes all edits of a character; one that was added is deleted.",
        discussion: """
            A store in a file must not be open in a server. Servers of a database show the change within two seconds. \
            Characters are added and edited with `marvel create` and `marvel edit`.
            """
    )

    @Argument(help: StoreLocation.help)
    var store: StoreLocation

    @Argument(help: "The character's number, as `marvel search` prints it.")
    var id: Int64

    func validate() throws {
        guard id > 0 else { throw ValidationError("A character's number is 1 or more.") }
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
            printError("the character \(id) was not edited")
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
