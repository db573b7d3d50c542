internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
internal import TerminalUI
internal import WireMessages

struct SearchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find characters by name, page by page.",
        usage: "marvel search <query> [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel search spider --pages 3",
                "marvel search spidrman --match fuzzy",
                "marvel search spider | cut -f1      # the ids",
            ],
            """
            A ★ marks favorites. On a pipe, a row has id, name, comics, description, and the star of a favorite. With --json, each \
            line is one page.
            """
        )
    )

    @Argument(help: "The name to search for: at least 2 letters. Case and accents are ignored.")
    var query: [String]

    @Option(help: "How names match the query.")
    var match = Match.prefix

    @Option(help: ArgumentHelp("Stop after this many pages. (default: all)", valueName: "n"))
    var pages: Int?

    @Option(help: ArgumentHelp("Characters per page, 1 to 100. (default: 10)", valueName: "n"))
    var pageSize: Int?

    @Option(help: ArgumentHelp("Results to skip. (default: 0)", valueName: "n"))
    var skip: Int?

    // A token may begin with a hyphen.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Continue where an earlier search for the same query ended.", valueName: "token")
    )
    var pageToken: String?

    @OptionGroup var list: ListOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        try OptionRange.atLeastOne(pages, "--pages")
        if let pageSize { try OptionRange.check(pageSize, 1...100, "--page-size") }
    }

    func run(in session: Session) async throws -> ExitStatus {
        let query = self.query.joined(separator: " ")
        var report = SearchReport(query: query, match: match, lineWidth: session.lineWidth, style: session.style)
        var progress = session.statusLine()
        var (pageCount, characterCount) = (0, 0)
        let results = session.client.searchCharacters(
            query,
            match: match,
            pageSize: pageSize ?? 0,
            pageToken: pageToken ?? "",
            skip: skip ?? 0,
            maxPages: pages ?? 0,
            list: list.list,
            timeout: session.options.timeout
        )
        func finish() throws {
            progress.clear()
            if !session.isJSON { try session.print(page: [], rows: [], report.footer, SearchCharactersResponse.self) }
            if let hint = report.hint { session.hint(hint) }
        }
        progress.show("Searching…")
        do {
            for try await page in results {
                progress.clear()
                if session.isJSON {
                    try session.printJSON(SearchCharactersResponse.self)
                } else {
                    try session.print(session.printsRows ? report.rows(for: page) : report.lines(for: page))
                }
                pageCount += 1
                characterCount += page.characters.count
                let characters = "\(page.total) \(page.total == 1 ? "character" : "characters")"
                let pages = "\(pageCount) \(pageCount == 1 ? "page" : "pages")"
                progress.show("\(characterCount) of \(characters), \(pages)")
            }
        } catch let error as RPCError {
            try finish()
            session.report(error, hasAnswered: pageCount > 0)
            return status(for: error)
        }
        try finish()
        if match == .prefix, report.total == 0 { await offerOthers(to: query, report, session) }
        return .done
    }

    private func offerOthers(to query: String, _ report: SearchReport, _ session: Session) async {
        guard !session.isJSON, !session.options.quiet else { return }
        // A failure of the suggestions is not a failure of the search.
        let suggestions = try? await session.client.suggestNames(
            query,
            limit: SearchReport.offeredNames,
            timeout: session.singleCallTimeout
        )
        for line in report.offer(suggestions?.names ?? []) { session.warn(line) }
    }
}

struct SearchReport {
    private let query: String
    private let match: Match
    private let lineWidth: Int?
    private let style: ANSIStyle
    private var table = Table([
        Table.Column("", width: 1),
        Table.Column("ID", .right, width: 7),
        Table.Column("NAME", width: 24),
        Table.Column("COMICS", .right),
        Table.Column("DESCRIPTION"),
    ])
    private var lastPage: SearchPage?

    init(query: String, match: Match, lineWidth: Int?, style: ANSIStyle) {
        self.query = query.printable
        self.match = match
        self.lineWidth = lineWidth
        self.style = style
    }

    mutating func lines(for page: SearchPage) -> [String] {
        let heading = lastPage == nil ? [style.apply(.heading, to: summary(of: page.total))] : []
        lastPage = page
        guard !page.characters.isEmpty else { return heading }
        let space = heading.isEmpty ? [] : heading + [""]
        return space + table.lines(for: page.characters.map { row($0, on: page) }, lineWidth: lineWidth, style: style)
    }

    mutating func rows(for page: SearchPage) -> [String] {
        lastPage = page
        return table.rows(page.characters.map { row($0, on: page) }, style: style)
    }

    var footer: Footer? { lastPage.map { Footer(attribution: $0.attribution, freshness: $0.freshness) } }

    var hint: String? {
        guard let token = lastPage?.nextPageToken.printable, !token.isEmpty else { return nil }
        return "More results: add --page-token \(token)"
    }

    static let offeredNames = 5

    var total: Int? { lastPage?.total }

    /// A gateway cannot compare names in other ways.
    private var hasOtherMatches: Bool { lastPage.map { ![.gateway, .cache].contains($0.freshness.source) } ?? false }

    func offer(_ names: [String]) -> [String] {
        let advice = "Only the beginnings of names were searched: --match word, substring or fuzzy finds more."
        let known = names.isEmpty ? [] : ["Similar names: \(names.map(\.printable).joined(separator: ", "))."]
        return (hasOtherMatches ? [advice] : []) + known
    }

    private func summary(of total: Int) -> String {
        let subject =
            switch total {
            case 0: "No character's name"
            case 1: "1 character's name"
            default: "The names of \(total) characters"
            }
        return "\(subject) \(match.verb(isPlural: total > 1)) “\(query)”."
    }

    private func row(_ character: MarvelCharacter, on page: SearchPage) -> [Table.Cell] {
        let isFavorite = page.isFavorite(character)
        return [
            Table.Cell(isFavorite ? Sign.favorite : "", .favorite),
            Table.Cell(String(character.id)),
            Table.Cell(character.name.printable, isFavorite ? .favorite : .plain),
            Table.Cell(character.text(of: character.comicCount)),
            Table.Cell(character.description.printable, .faint),
        ]
    }
}

extension Match {
    fileprivate func verb(isPlural: Bool) -> String {
        switch self {
        case .prefix: isPlural ? "begin with" : "begins with"
        case .wordPrefix: isPlural ? "have a word that begins with" : "has a word that begins with"
        case .substring: isPlural ? "contain" : "contains"
        case .fuzzy: isPlural ? "are similar to" : "is similar to"
        }
    }
}

struct SuggestCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete a name as you type it.",
        usage: "marvel suggest <query> [<options>]",
        discussion: HelpText.discussion(
            examples: [
                "marvel suggest spi --limit 5"
            ],
            """
            Names that begin with the query come first, then names with a word that begins with it, those with the most \
            comics first. If few match, similar names follow.
            """
        )
    )

    @Argument(help: "The text to complete: at least 1 letter. Case and accents are ignored.")
    var query: [String]

    @Option(help: ArgumentHelp("The maximum number of names, 1 to 50. (default: 10)", valueName: "n"))
    var limit: Int?

    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if let limit { try OptionRange.check(limit, 1...50, "--limit") }
    }

    func run(in session: Session) async throws -> ExitStatus {
        let suggestions = try await session.client.suggestNames(
            query.joined(separator: " "),
            limit: limit ?? 0,
            timeout: session.singleCallTimeout
        )
        if let hint = SuggestCommand.hint(on: suggestions) { session.hint(hint) }
        let names = suggestions.names.map(\.printable)
        try session.print(
            page: names,
            rows: names,
            names.isEmpty ? nil : Footer(attribution: suggestions.attribution),
            SuggestNamesResponse.self
        )
        return .done
    }

    /// Standard output has only the names, so the hint tells whether none completes the typed text.
    private static func hint(on suggestions: NameSuggestions) -> String? {
        guard suggestions.suggestions.allSatisfy({ $0.match == .fuzzy }) else { return nil }
        return suggestions.names.isEmpty ? "No name matches." : "No name matches. Did you mean:"
    }
}
