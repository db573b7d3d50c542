internal import Glibc
package import MarvelDomain
package import RPCCore

extension MarvelKeys {
    /// Reads `MARVEL_PUBLIC_KEY` with `MARVEL_PRIVATE_KEY` or the file `MARVEL_PRIVATE_KEY_FILE`. Empty variables count
    /// as absent. Throws `StartupError` for a missing or invalid key, or a file that others can read. No message
    /// repeats a key.
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

extension GatewayAccount {
    /// `MarvelKeys.pair`, and the accounts in the file `MARVEL_KEYS_FILE`. Empty variables count as absent.
    package static func all(environment: [String: String]) throws(StartupError) -> [GatewayAccount] {
        var accounts: [GatewayAccount] = []
        if let path = environment["MARVEL_KEYS_FILE"], !path.isEmpty { accounts += try all(file: path) }
        if let pair = try MarvelKeys.pair(environment: environment) { accounts.append(GatewayAccount(pair)) }
        return accounts
    }

    /// A line has a public and a private key, and perhaps a status other than `active`. Lines with `#` are skipped.
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

/// `MARVEL_TOKEN`, or the file `MARVEL_TOKEN_FILE`.
package enum ClientToken {
    /// `environment` returns nil for an empty variable. Throws `StartupError` if both are set, others can read the
    /// file, or the token is invalid. No message repeats it.
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

/// A reader of files that only their owner may read.
enum SecretFile {
    static let maximumByteCount = 1 << 20

    /// `path` may be a link. `setting` is the variable that named the file, for the messages.
    static func text(_ path: String, _ setting: String) throws(StartupError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, setting) }
        defer { close(descriptor) }
        // The mode is that of the open file: the file at the path could be replaced between a check and the opening.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, setting) }
        guard isPrivate(mode: status.st_mode, owner: status.st_uid) else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw StartupError(.configuration, "\(setting): \(path) has mode 0\(mode), expected 0600: chmod 600 it")
        }
        guard let bytes = InputFile.bytes(of: descriptor, maximum: maximumByteCount + 1) else {
            throw unreadable(path, setting)
        }
        guard bytes.count <= maximumByteCount, let text = String(validating: bytes, as: UTF8.self) else {
            throw StartupError(.configuration, "\(setting): \(path) is not text, or too large for a key file")
        }
        return text
    }

    /// Reads the variable `name`, or the file in `name_FILE`; nil if neither is set. White space at both ends is
    /// dropped. Throws `StartupError` if both are set. No message repeats the text.
    static func text(
        named name: String,
        _ environment: (String) -> String?
    ) throws(StartupError) -> (text: String, setting: String)? {
        switch (environment(name), environment(name + "_FILE")) {
        case (nil, nil): return nil
        case (.some, .some): throw StartupError(.configuration, "set \(name) or \(name)_FILE, not both")
        case (let text?, nil): return (text, name)
        case (nil, let path?):
            let text = try text(path, name + "_FILE").drop(while: \.isWhitespace)
            let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
            return (String(text[..<end]), name + "_FILE")
        }
    }

    /// The group may read a file of root: clusters and service managers store secrets so.
    static func isPrivate(mode: mode_t, owner: uid_t) -> Bool { mode & (owner == 0 ? 0o037 : 0o077) == 0 }

    private static func unreadable(_ path: String, _ setting: String) -> StartupError {
        StartupError(.configuration, "\(setting): cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
