import ArgumentParser
import CatalogEdits
import CatalogFiles
import FavoritesPostgres
import FavoritesSQLite
import Foundation
import MarvelDomain
import ProgramSupport

/// The command `marvel-server edit`.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Adds a character to the catalog, or changes one.",
        usage: """
            marvel-server edit --new [<id>] --name <text> [<options>]
            marvel-server edit <id> [<options>]
            """,
        discussion: """
            Edits are kept apart from every catalog, in a file of their own, or in the database of the store if that is \
            one (--store postgresql://...): no import undoes them. \
            Fields that are not named still come from the catalog. Servers that have the file open show an edit within \
            a second or two. With no options it prints the edits of a character.
            """
    )

    @Argument(help: "The character's number, as `marvel search` prints it.")
    var id: Int64?

    @Flag(help: "Add a character; without a number it gets one from 1000000000 on.")
    var new = false

    @OptionGroup(title: "The character") var character: CharacterOptions

    @Flag(help: "Remove all pages about the character.")
    var removeUrls = false

    @Flag(help: "Show the picture of the catalog's source again.")
    var removePicture = false

    @Flag(help: "Undo all edits of the character; a character that was added is deleted.")
    var revert = false

    @Option(
        help: ArgumentHelp(
            "The file that keeps edits. (default: edits.sqlite beside the store, as the server has it)",
            valueName: "file"
        ),
        completion: .file()
    )
    var edits: String?

    @Option(
        help: ArgumentHelp("The server's store, if it is not where it is by default.", valueName: "store"),
        completion: .file()
    )
    var store: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    private var changesSomething: Bool { character.hasChanges || removeUrls || removePicture }

    func validate() throws {
        guard id.map({ $0 > 0 }) ?? new else {
            throw ValidationError("Name a character by its number, or add one: --new.")
        }
        guard !new || character.name != nil else { throw ValidationError("A character needs a --name.") }
        guard !new || !revert else { throw ValidationError("--new or --revert, not both.") }
        guard !revert || !changesSomething else {
            throw ValidationError("--revert undoes all edits: name no others.")
        }
        if edits != nil, let store, DatabaseAddress.isAddress(store) {
            throw ValidationError("A store in a database has the edits in it: leave out --edits.")
        }
        guard !removeUrls || character.url.isEmpty else { throw ValidationError("--url or --remove-urls, not both.") }
        guard !removePicture || character.picture == nil else {
            throw ValidationError("--picture or --remove-picture, not both.")
        }
    }

    func run() async throws {
        do {
            let order = try order()
            if let store, DatabaseAddress.isAddress(store) {
                let database = try PostgresFavoritesStore(DatabaseAddress(store), now: { .systemClock() })
                let result = await run(order, in: database.edits)
                await database.close()
                return try print(result.get())
            }
            let store = try SQLiteEditStore(path: path(), now: { .systemClock() }) { report in
                if case .problem(let text) = report { printError(text) }
            }
            defer { store.close() }
            try print(await run(order, in: store).get())
        } catch let problems as EditProblems {
            for problem in problems.problems { printError(problem.text) }
            throw ExitCode.failure
        } catch let status as ExitCode {
            throw status
        } catch let error as EditError {
            printError(error.operatorText)
            throw ExitCode.failure
        } catch {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    /// Writes an edit; for nil it only reads those of the character.
    private func run(_ order: EditOrder?, in store: any EditStore) async -> Result<EditedCharacter, any Error> {
        do {
            guard let order else { return .success(try await edit(in: store)) }
            // No catalog is open here, so no id counts as taken by its source. The server that shows the edit has it.
            return .success(try await store.write(order) { _ in false })
        } catch {
            return .failure(error)
        }
    }

    private func path() throws -> String {
        if let edits { return edits }
        return StateFolder.edits(besideStore: try store ?? StateFolder.storeOfServer(asRoot: false))
    }

    /// Makes the edit from the options; nil if edits are only to be shown.
    ///
    /// - Throws: `EditProblems` with every rule that the edit breaks.
    private func order() throws -> EditOrder? {
        if revert { return id.map { EditOrder(.reverted($0)) } }
        guard new || changesSomething else { return nil }
        let edit = CharacterEdit(
            name: character.name,
            description: character.description,
            comicCount: character.comics,
            seriesCount: character.series,
            storyCount: character.stories,
            eventCount: character.events,
            urls: removeUrls ? [] : character.url.isEmpty ? nil : character.url
        )
        var problems = edit.problems
        var picture: EditOrder.PictureChange? = removePicture ? .remove : nil
        if let file = character.picture {
            let bytes = try PictureFile.read(file, maximum: EditRules.maximumPictureBytes)
            do throws(EditProblems) {
                let read = try Picture(edit: bytes)
                picture = .set(read)
                let problem = DecodedPictureCheck.problem(with: read)
                problems += problem.map { [EditProblem("picture.data", $0)] } ?? []
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw EditProblems(problems) }
        return EditOrder(new ? .new(id) : .existing(id ?? 0), edit, picture: picture)
    }

    private func edit(in store: any EditStore) async throws -> EditedCharacter {
        let edited = try await store.edits(after: 0).first { $0.id == id && $0.kind != .reverted }
        guard let edited else {
            printError("the character \(id ?? 0) was not edited")
            throw ExitCode.failure
        }
        return edited
    }

    private func print(_ edited: EditedCharacter) throws {
        Swift.print(json ? edited.json.line : edited.text)
    }
}
