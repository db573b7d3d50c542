internal import ArgumentParser
internal import MarvelClient
internal import MarvelDomain
internal import ProgramSupport
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
        if let pages, pages < 1 { throw ValidationError("--pages is \(pages); it must be at least 1.") }
        if let pageSize, !(1...100).contains(pageSize) {
            throw ValidationError("--page-size is \(pageSize); it must be 1 to 100.")
        }
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
            timeout: session.options.timeout?.duration
        )
        // However the search ends, the printed pages get their attribution and the token of the next page.
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
                let pages = "\(pageCount) \(pageCount == 1 ? "page" : "pages")"
                progress.show("\(characterCount) of \(page.total) characters, \(pages)")
            }
        } catch let error as RPCError {
            try finish()
            throw error
        }
        try finish()
        guard match == .prefix, let total = report.total else { return .done }
        if total == 0 {
            await offerOthers(to: query, report, session)
        } else {
            await offerWords(query, report, found: total, session)
        }
        return .done
    }

    /// Tells a person how many more names a search by word finds.
    private func offerWords(_ query: String, _ report: SearchReport, found: Int, _ session: Session) async {
        guard session.givesHints, report.hasOtherMatches else { return }
        var pages = session.client.searchCharacters(
            query,
            match: .wordPrefix,
            pageSize: 1,
            maxPages: 1,
            timeout: session.singleCallTimeout
        ).makeAsyncIterator()
        // The search is done: this is only advice.
        guard let page = try? await pages.next(), page.total > found else { return }
        session.hint(report.hint(wordCount: page.total - found))
    }

    /// If no name begins with the query, prints other ways to search, and similar names.
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
