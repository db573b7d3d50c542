package import MarvelDomain
package import RPCCore

extension MarvelKeys {
    /// Reads `MARVEL_PUBLIC_KEY` with `MARVEL_PRIVATE_KEY`, or with the file `MARVEL_PRIVATE_KEY_FILE`. Empty variables
    /// count as absent. Nil without keys.
    ///
    /// - Throws: `StartupError` if a key is missing or invalid, or the file cannot be read or is readable by others. No
    ///   message repeats a key.
    package static func pair(environment: [String: String]) throws(StartupError) -> MarvelKeys? {
        let environment = environment.filter { !$0.value.isEmpty }
        let privateKey = try SecretFile.text(named: "MARVEL_PRIVATE_KEY") { environment[$0] }?.text
        switch (environment["MARVEL_PUBLIC_KEY"], privateKey) {
        case (nil, nil):
            return nil
        case (nil, _):
            throw StartupError(.configuration, "a private key is set without MARVEL_PUBLIC_KEY")
        case (_, nil):
            throw StartupError(
                .configuration,
                "MARVEL_PUBLIC_KEY is set without MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE"
            )
        case (let publicKey?, let privateKey?):
            guard let pair = MarvelKeys(publicKey: publicKey, privateKey: privateKey) else {
                throw StartupError(.configuration, "the keys in the environment are empty or contain white space")
            }
            return pair
        }
    }
}
