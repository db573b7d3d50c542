package import RPCCore

/// The token of a client program: the variable `MARVEL_TOKEN`, or the file `MARVEL_TOKEN_FILE`.
package enum ClientToken {
    /// `environment` returns nil for a variable that is not set, or empty.
    ///
    /// - Throws: `StartupError` if both are set, the file cannot be read or is readable by others, or the token is
    ///   invalid. No message repeats it.
    package static func read(_ environment: (String) -> String?) throws(StartupError) -> TokenText? {
        guard let (text, setting) = try SecretFile.text(named: "MARVEL_TOKEN", environment) else { return nil }
        guard let token = TokenText(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")) else {
            throw StartupError(
                .configuration,
                "\(setting) is not a valid token: a token begins with mrv1_ and has \(TokenText.length) characters"
            )
        }
        return token
    }
}
