import ArgumentParser
import ProgramSupport
import RPCCore

/// The options that name the file of tokens, for the commands that change or show them.
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
        return TokenFile(StateFolder.tokens(besideStore: try StateFolder.storeOfServer(asRoot: true)))
    }
}
