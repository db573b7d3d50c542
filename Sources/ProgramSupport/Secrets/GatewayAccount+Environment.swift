package import MarvelDomain
package import RPCCore

extension GatewayAccount {
    /// Reads every account in the environment: `MarvelKeys.pair`, and the accounts in the file `MARVEL_KEYS_FILE`.
    /// Empty variables count as absent.
    ///
    /// - Throws: `StartupError` like `MarvelKeys.pair`, and if a line of the file is not an account.
    package static func all(environment: [String: String]) throws(StartupError) -> [GatewayAccount] {
        var accounts: [GatewayAccount] = []
        if let path = environment["MARVEL_KEYS_FILE"], !path.isEmpty { accounts += try all(file: path) }
        if let pair = try MarvelKeys.pair(environment: environment) { accounts.append(GatewayAccount(pair)) }
        return accounts
    }

    /// Each line of the file has a public and a private key, and perhaps a status other than `active`, separated by
    /// white space. Empty lines and lines that begin with `#` are skipped.
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
            let status = words.count == 2 ? .active : Status(rawValue: words[2])
        else { return nil }
        self.init(keys, status: status)
    }
}
