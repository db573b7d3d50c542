public import ArgumentParser
internal import FoundationEssentials
internal import MarvelClient
public import MarvelDomain
internal import ProgramSupport
internal import RPCCore

struct GlobalOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The servers of one store, separated by commas: host:port, unix:/path, or tls://host:port for TLS. "
                + "The client uses one, and fails over to the next. "
                + "(default: $MARVEL_SERVER, or \(ServerAddress.default))",
            valueName: "addresses"
        ),
        completion: .list(["\(ServerAddress.default)", "unix:", "tls://"]),
        transform: GlobalOptions.addresses
    )
    var server: [ServerEndpoint]?

    @OptionGroup var tls: TLSFiles

    @Flag(help: "Print protobuf's JSON, one object per line; errors of calls too, on standard error.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The timeout of a call: 250ms, 10s, 2m. (default: 10s; none for a search)",
            valueName: "time"
        ),
        transform: Duration.option
    )
    var timeout: Duration?

    @Flag(help: "Fail at the first error: no retry, no failover.")
    var noRetry = false

    @Option(help: ArgumentHelp("When to use color.", valueName: "when"))
    var color = ColorChoice.auto

    @Flag(name: .shortAndLong, help: "Print rows and errors only: no titles, attribution, progress or hints.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Also print the status code and the reason of an error.")
    var verbose = false

    /// Throws `ValidationError` if the environment variable is not a list of addresses.
    func servers(_ environment: Environment) throws -> [ServerEndpoint] {
        if let server { return server }
        guard let text = environment["MARVEL_SERVER"] else { return [ServerEndpoint(.default)] }
        try StartUp.refusePasswords(in: [text])
        do {
            return try GlobalOptions.addresses(text)
        } catch {
            throw ValidationError("MARVEL_SERVER: \(error.message)")
        }
    }

    /// Separated by commas: `127.0.0.1:6160,unix:/run/marvel.sock,tls://one.example:6160`.
    private static func addresses(_ text: String) throws(ValidationError) -> [ServerEndpoint] {
        var addresses: [ServerEndpoint] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            do throws(ServerEndpoint.Problem) {
                addresses.append(try ServerEndpoint(parsing: part))
            } catch {
                throw ValidationError("\(error)")
            }
        }
        return addresses
    }
}

extension Environment {
    var sendsTokenInClear: Bool { self["MARVEL_TOKEN_IN_CLEAR"] == "1" }

    func token() throws -> String? {
        do throws(StartupError) {
            return try ClientToken.read { self[$0] }?.secret
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case always
    case never
    case auto
}

extension ANSIStyle {
    /// `--color` counts first, then `FORCE_COLOR`, `NO_COLOR`, `TERM=dumb`, and whether the output is a terminal.
    init(_ choice: ColorChoice, environment: Environment, isTerminal: Bool) {
        let isColored =
            switch (choice, environment["FORCE_COLOR"]) {
            case (.always, _): true
            case (.never, _): false
            case (.auto, "0"), (.auto, "false"): false
            case (.auto, .some): true
            case (.auto, nil): isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            }
        self.init(isColored: isColored)
    }
}

struct TLSFiles: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The CA certificates to trust, in PEM. (default: the system's)",
            valueName: "file"
        ),
        completion: .file()
    )
    var cacert: String?

    @Option(
        help: ArgumentHelp("The client certificate, in PEM, for servers that ask for one.", valueName: "file"),
        completion: .file()
    )
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "The private key of the certificate, in PEM. Other users must not be able to read it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    func read() throws -> MarvelClient.TLS {
        guard cacert != nil || cert != nil || key != nil else { return .system }
        guard (cert == nil) == (key == nil) else { throw ValidationError("Use --cert and --key together.") }
        do throws(RPCError) {
            return try MarvelClient.TLS(authorities: cacert, certificate: cert, key: key)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

/// An empty variable counts as not set.
struct Environment: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }
}

extension Match: ExpressibleByArgument {
    /// Also takes `word-prefix`, the protocol's name of `word`.
    public init?(argument: String) {
        let name = argument == "word-prefix" ? "word" : argument
        guard let match = Match.allCases.first(where: { $0.word == name }) else { return nil }
        self = match
    }

    var word: String {
        switch self {
        case .prefix: "prefix"
        case .wordPrefix: "word"
        case .substring: "substring"
        case .fuzzy: "fuzzy"
        }
    }

    public var defaultValueDescription: String { word }

    public static var allValueStrings: [String] { allCases.map(\.word) }
}

struct CharacterID: ExpressibleByArgument, Equatable {
    let number: Int64

    init?(argument: String) {
        guard let number = Int64(argument), number > 0 else { return nil }
        self.number = number
    }
}

struct ListOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The list of favorites: 1 to 64 characters from A-Z a-z 0-9 . _ - (default: default)",
            valueName: "name"
        ),
        completion: .list(["default"]),
        transform: ListOption.name
    )
    var list = ListName.default

    static func name(_ text: String) throws -> ListName {
        // On the wire, an empty name means `default`. On a command line it is a mistake (`--list "$UNSET"`).
        guard !text.isEmpty, let name = ListName(text) else {
            throw ValidationError("A list name has 1 to 64 characters from A-Z a-z 0-9 . _ -")
        }
        return name
    }
}

enum OptionRange {
    static func check(_ value: Int, _ range: ClosedRange<Int>, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError("\(name) is \(value); it must be \(range.lowerBound) to \(range.upperBound).")
        }
    }

    static func atLeastOne(_ value: Int?, _ name: String) throws {
        if let value, value < 1 { throw ValidationError("\(name) is \(value); it must be at least 1.") }
    }

    static func rate(_ value: Double, _ name: String) throws {
        guard value > 0, value <= 1e7 else {
            throw ValidationError("\(name) is \(value); it must be above 0 and at most 10,000,000.")
        }
    }
}
