internal import Foundation
package import MarvelAPI
package import RPCCore

extension GatewayAccount {
    /// Every pair that the environment names: `MarvelKeys.pair`, and those of the file that `MARVEL_KEYS_FILE` names.
    ///
    /// - Parameter environment: Variables by name; empty ones count as absent.
    /// - Returns: The accounts, none if nothing is set.
    /// - Throws: `StartupError` as `MarvelKeys.pair` does, and if a line of the file is no account.
    package static func all(environment: [String: String]) throws(StartupError) -> [GatewayAccount] {
        var accounts: [GatewayAccount] = []
        if let path = environment["MARVEL_KEYS_FILE"], !path.isEmpty { accounts += try all(file: path) }
        if let pair = try MarvelKeys.pair(environment: environment) { accounts.append(GatewayAccount(pair)) }
        return accounts
    }

    /// One pair a line, public and private key with white space between, and behind them a standing that is not the
    /// usual one; empty lines and lines with `#` are passed over.
    private static func all(file path: String) throws(StartupError) -> [GatewayAccount] {
        let lines = try SecretFile.text(path, "MARVEL_KEYS_FILE").split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        var accounts: [GatewayAccount] = []
        for (number, line) in zip(1..., lines) where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            guard let account = GatewayAccount(line: line) else {
                throw StartupError(
                    .configuration,
                    "MARVEL_KEYS_FILE, line \(number): expected PUBLIC PRIVATE, or PUBLIC PRIVATE unentitled|forbidden"
                )
            }
            accounts.append(account)
        }
        return accounts
    }

    private init?(line: Substring) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard (2...3).contains(words.count), let keys = MarvelKeys(publicKey: words[0], privateKey: words[1]),
            let standing = words.count == 2 ? .active : Standing(rawValue: words[2])
        else { return nil }
        self.init(keys, standing: standing)
    }
}
