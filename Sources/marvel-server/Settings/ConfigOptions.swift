import ArgumentParser

/// The option that names the file of settings.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A YAML file of settings. MARVEL_ variables take precedence over it, and options over both. (default: none)",
            valueName: "file"
        )
    )
    var config: String?
}
