internal import Foundation
package import MarvelAPI
package import RPCCore

extension MarvelKeys {
    /// The pair of keys that the environment names: `MARVEL_PUBLIC_KEY` with `MARVEL_PRIVATE_KEY`, or with the file
    /// that `MARVEL_PRIVATE_KEY_FILE` names.
    ///
    /// - Parameter environment: Variables by name; empty ones count as absent.
    /// - Returns: nil if none of them is set.
    /// - Throws: `StartupError` if half a pair is missing, a key is none, or the file cannot be had or may be read by
    ///   others. No message repeats a key.
    package static func pair(environment: [String: String]) throws(StartupError) -> MarvelKeys? {
        let environment = environment.filter { !$0.value.isEmpty }
        switch (environment["MARVEL_PUBLIC_KEY"], try privateKey(environment)) {
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
                throw StartupError(.configuration, "the keys in the environment hold white space or nothing at all")
            }
            return pair
        }
    }

    private static func privateKey(_ environment: [String: String]) throws(StartupError) -> String? {
        switch (environment["MARVEL_PRIVATE_KEY"], environment["MARVEL_PRIVATE_KEY_FILE"]) {
        case (.some, .some):
            throw StartupError(.configuration, "set MARVEL_PRIVATE_KEY or MARVEL_PRIVATE_KEY_FILE, not both")
        case (let key, nil):
            return key
        case (nil, let path?):
            // A file that was written by hand ends with a line break.
            return try SecretFile.text(path, "MARVEL_PRIVATE_KEY_FILE").trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
