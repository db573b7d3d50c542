package import ArgumentParser
package import MarvelDomain

package struct CharacterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name, 1 to 200 letters.", valueName: "text"))
    package var name: String?

    @Option(help: ArgumentHelp("One paragraph, at most 5000 letters.", valueName: "text"))
    package var description: String?

    @Option(help: ArgumentHelp("The number of comics with the character.", valueName: "n"))
    package var comics: Int32?

    @Option(help: ArgumentHelp("The number of series with the character.", valueName: "n"))
    package var series: Int32?

    @Option(help: ArgumentHelp("The number of stories with the character.", valueName: "n"))
    package var stories: Int32?

    @Option(help: ArgumentHelp("The number of events with the character.", valueName: "n"))
    package var events: Int32?

    @Option(
        help: ArgumentHelp(
            "A page about the character: wiki=https://... Repeat it for more pages; together they replace the current ones.",
            valueName: "type=url"
        ),
        transform: CharacterOptions.page
    )
    package var url: [CharacterURL] = []

    @Option(
        help: ArgumentHelp("A picture of at most 1 MiB: PNG, JPEG or GIF. `-` is standard input.", valueName: "file"),
        completion: .file()
    )
    package var picture: String?

    package init() {}

    private static func page(_ text: String) throws -> CharacterURL {
        guard let equals = text.firstIndex(of: "=") else {
            throw ValidationError("A page has the form type=url: wiki=https://example.org/page.")
        }
        return CharacterURL(type: String(text[..<equals]), url: String(text[text.index(after: equals)...]))
    }
}

extension CharacterOptions {
    /// Whether any option was given.
    package var hasChanges: Bool {
        let counts = [comics, series, stories, events]
        return name != nil || description != nil || picture != nil || !url.isEmpty
            || counts.contains { $0 != nil }
    }
}
