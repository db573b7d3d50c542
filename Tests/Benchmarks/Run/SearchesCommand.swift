import ArgumentParser
import Foundation

/// Measures searches of a large catalog, and the screen for them, and nothing else.
struct SearchesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "searches",
        abstract: "Measures searches of a million names, and keys of marvel browse."
    )

    @Flag(help: "Fewer of them, for a first look.")
    var quick = false

    func run() throws {
        let searches = try NameSearches(pace: quick ? .quick : .full)
        print(searches.table)
        print(KeyStrokes(keys: (quick ? Pace.quick : .full).searches).table)
        print("built in \(String(format: "%.1f", searches.buildTime)) s")
    }
}
