import ArgumentParser
import Foundation
import MarvelDomain
import ProgramSupport
import RPCCore

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates, lists and revokes the tokens that identify callers.",
        discussion: """
            A token gives its owner a name and scopes: catalog:read, catalog:edit, lists:read:PATTERN, \
            lists:write:PATTERN (which includes reading) and admin. A pattern is the name of a list, or a prefix and an \
            asterisk. A running server applies changes within five seconds.
            """,
        subcommands: [Create.self, List.self, Revoke.self]
    )

    fileprivate static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

extension TokenCommand {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a token and prints it once: only its digest is stored.",
            discussion: """
                Standard output is only the token. A name may have several tokens, for example while one replaces \
                another. Give it to marvel in MARVEL_TOKEN, or in a file of mode 0600 that MARVEL_TOKEN_FILE names.
                """
        )

        @Argument(help: "The name of the owner: 1 to 64 characters from A-Z a-z 0-9 . _ @ -", transform: Create.name)
        var name: String

        @Option(
            help: ArgumentHelp("A scope: \(Scope.forms). May be repeated.", valueName: "scope"),
            transform: Create.scope
        )
        var scope: [Scope] = []

        @Option(
            help: ArgumentHelp(
                "When the token expires: 12h, 90d, 52w. (default: never)",
                valueName: "time"
            ),
            transform: Create.lifetime
        )
        var expires: Int64?

        @Flag(help: "Create no token: give the scopes to a name that a unix socket or a certificate identifies.")
        var nameOnly = false

        @OptionGroup var options: TokenOptions

        func validate() throws {
            guard !scope.isEmpty else { throw ValidationError("Add at least one --scope: \(Scope.forms).") }
        }

        func run() throws {
            let token = TokenText(random: (0..<TokenText.randomByteCount).map { _ in .random(in: .min ... .max) })
            let now = TokenCommand.now
            let file = try options.tokenFile()
            let id = try file.change { records in
                var id: String
                repeat {
                    id = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
                } while records.contains { $0.id == id }
                records.append(
                    TokenRecord(
                        id: id,
                        name: name,
                        scopes: scope,
                        digest: nameOnly ? nil : token.digest,
                        createdAt: now,
                        expiry: expires.map { now + $0 }
                    )
                )
                return id
            }
            let end = expires.map { " until \((now + $0).timeText)" } ?? ""
            let note = nameOnly ? "" : "; this is the token, shown once:"
            printError("created \(id) for \(name)\(end) in \(file.path)\(note)")
            if !nameOnly { print(token.secret) }
        }

        private static func name(_ text: String) throws -> String {
            guard Principal.isName(text) else {
                throw ValidationError(
                    "A name has 1 to \(Principal.maximumNameLength) characters from A-Z a-z 0-9 . _ @ -"
                )
            }
            return text
        }

        private static func scope(_ text: String) throws -> Scope {
            guard let scope = Scope(text) else { throw ValidationError("A scope must be one of \(Scope.forms).") }
            return scope
        }

        /// In seconds.
        private static func lifetime(_ text: String) throws -> Int64 {
            guard let time = Duration(text: text), time >= .seconds(1) else { throw Duration.optionError(text) }
            return time.components.seconds
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Shows the tokens: their ids, names, scopes and times, but not the tokens themselves."
        )

        @OptionGroup var options: TokenOptions

        @Flag(help: "Print one JSON object for each token.")
        var json = false

        func run() throws {
            let file = try options.tokenFile()
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw StartupError(
                    .configuration,
                    "no token file at \(file.path): create a token with marvel-server token create, or "
                        + "choose the file with --tokens"
                )
            }
            let records = try file.read()
            let now = TokenCommand.now
            if json {
                for record in records { print(record.json(at: now).line) }
            } else {
                print(TokenTable.text(records, at: now))
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revokes a token. A running server refuses it within five seconds and ends its watches."
        )

        @Argument(help: "The token's id, as token list shows it.")
        var id: String

        @OptionGroup var options: TokenOptions

        func run() throws {
            let file = try options.tokenFile()
            let name = try file.change { records in
                guard let index = records.firstIndex(where: { $0.id == id }) else {
                    throw StartupError(.configuration, "no token \(id) in \(file.path)")
                }
                return records.remove(at: index).name
            }
            print("revoked \(id) of \(name)")
        }
    }
}

extension Int64 {
    fileprivate var timeText: String { Timestamp(seconds: self).rfc3339 }
}

extension TokenRecord {
    fileprivate func json(at now: Int64) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("createdAt", .string(createdAt.timeText)),
            ("expired", .bool(isExpired(at: now))),
        ]
        if let expiry { members.append(("expiresAt", .string(expiry.timeText))) }
        members += [
            ("id", .string(id)), ("name", .string(name)), ("nameOnly", .bool(digest == nil)),
            ("scopes", .array(scopes.map { .string($0.description) })),
        ]
        return .object(members)
    }
}

extension TokenTable {
    fileprivate static func text(_ records: [TokenRecord], at now: Int64) -> String {
        var table = Table(["id", "name", "created", "expires", "scopes"].map { Table.Column($0) })
        let rows = records.map { record in
            let end = record.expiry.map { record.isExpired(at: now) ? "expired" : $0.timeText } ?? "never"
            let scopes = record.scopes.map(\.description).joined(separator: " ")
            let note = record.digest == nil ? " (name only)" : ""
            return [record.id, record.name, record.createdAt.timeText, end, scopes + note].map { Table.Cell($0) }
        }
        return table.lines(for: rows).joined(separator: "\n")
    }
}

struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The token file. (default: tokens.json beside the store of the installed service, for its user and "
                + "root; or beside the default store)",
            valueName: "file"
        )
    )
    var tokens: String?

    /// The file need not exist.
    func tokenFile() throws(StartupError) -> TokenFile {
        if let tokens { return TokenFile(tokens) }
        return TokenFile(try StateFolder.tokensOfServer())
    }
}
