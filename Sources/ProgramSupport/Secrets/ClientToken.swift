package import RPCCore

/// The token of a client program: the variable `MARVEL_TOKEN`, or the file `MARVEL_TOKEN_FILE`.
package enum ClientToken {
    /// Reads the token.
    ///
    /// - Parameter environment: Returns the value of a variable; nil if it is not set or empty.
    /// - Returns: The token; nil if none is set.
    /// - Throws: `StartupError` if both are set, the file cannot be read or is readable by others, or it is no token. No
    ///   message repeats it.
    package static func read(_ environment: (String) -> String?) throws(StartupError) -> TokenText? {
        guard let (text, setting) = try SecretFile.text(named: "MARVEL_TOKEN", environment) else { return nil }
        guard let token = TokenText(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")) else {
            throw StartupError(
                .configuration,
                "\(setting) holds no token, or a mistyped one: it begins with mrv1_ and has \(TokenText.length) letters"
            )
        }
        return token
    }
}
