package import ArgumentParser
package import MarvelDomain

package struct CharacterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name, 1 to 200 letters.", valueName: "text"))
    package var name: String?

    @Option(help: ArgumentHelp("One paragraph, at most 5000 letters.", valueName: "text"))
    package var description: String?

    @Option(help: ArgumentHelp("Comics that the character appears in.", valueName: "n"))
    package var comics: Int32?

    @Option(help: ArgumentHelp("Series that the character appears in.", valueName: "n"))
    package var series: Int32?

    @Option(help: ArgumentHelp("Stories that the character appears in.", valueName: "n"))
    package var stories: Int32?

    @Option(help: ArgumentHelp("Events that the character appears in.", valueName: "n"))
    package var events: Int32?

    @Option(
        help: ArgumentHelp(
            "A page about the character: wiki=https://... May be repeated; all of them together are what it has.",
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
            throw ValidationError("A page is type=url, as in wiki=https://example.org/page.")
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
