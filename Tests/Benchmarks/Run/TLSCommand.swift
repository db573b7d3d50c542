import ArgumentParser

/// Measures what TLS costs, and nothing else.
struct TLSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls",
        abstract: "Measures a page with and without TLS."
    )

    @OptionGroup
    var options: LaboratoryOptions

    func run() throws { print(try options.withLaboratory { try TLSCost(pace: options.pace, in: $0) }.table) }
}
