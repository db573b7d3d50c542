import ArgumentParser
import ProgramSupport
import RPCCore

/// The options that name the file of tokens.
struct TokenFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file that keeps tokens. (default: tokens.json beside the store)", valueName: "file")
    )
    var tokens: String?

    /// Returns the file.
    ///
    /// - Parameter store: The path of the store.
    /// - Returns: The file, which need not be there.
    func file(besideStore store: String) -> TokenFile {
        TokenFile(tokens ?? StateFolder.tokens(besideStore: store))
    }
}

/// The options of the commands that change or show tokens.
struct TokenOptions: ParsableArguments {
    @OptionGroup var file: TokenFileOptions

    @Option(
        help: ArgumentHelp(
            "The store of the server. (default: that of the installed service, for its user and root; or as for serve)",
            valueName: "file"
        )
    )
    var store: String?

    func tokenFile() throws(StartupError) -> TokenFile {
        if let path = file.tokens { return TokenFile(path) }
        if let store { return file.file(besideStore: store) }
        return file.file(besideStore: try StateFolder.storeOfServer(asRoot: true))
    }
}
