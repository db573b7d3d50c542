import ArgumentParser
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
        let edited = try await store.change { store in
            try await store.characterEdits.write(EditOrder(.reverted(id))) { _ in false }
        }
        guard edited.revision > 0 else {
            printError("the character \(id) has no edits")
            throw ExitCode.failure
        }
        print("reverted \(id), at revision \(edited.revision)")
    }
}
